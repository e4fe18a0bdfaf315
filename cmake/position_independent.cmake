# Code that can become part of a shared library, as the module of Python is. Names that are hidden are called and inlined as in a
# program: it costs no speed.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
