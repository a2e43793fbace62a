try:
    import smprof
except ImportError:
    import smppy as smprof
