"""Records, reads and analyzes step timelines, system metrics and Python profiles.

The core reads timelines and metrics into columns. The modules for data frames import pandas;
functions that need boto3, pyinstrument or bokeh import them when called. Importing the other
modules is cheap.
"""
