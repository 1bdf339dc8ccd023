"""A sum, extremes and a count, to which others are added in one step."""

cimport cython


cdef class Tally:
    # these methods run no Python code, so that no other thread and no signal comes between
    cdef object total
    cdef object low
    cdef object high
    cdef object count

    def __cinit__(self):
        self.total = self.low = self.high = self.count = 0

    def add(self, object total, object low, object high, object count):
        if count == 0:
            return
        with cython.critical_section(self):
            if self.count == 0:
                self.low = low
                self.high = high
            else:
                self.low = low if low < self.low else self.low
                self.high = high if high > self.high else self.high
            self.total = self.total + total
            self.count = self.count + count

    def read(self):
        with cython.critical_section(self):
            return self.total, self.low, self.high, self.count
