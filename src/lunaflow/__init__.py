"""lunaflow: a result that is right, or an error that says what went wrong and where."""
