"""Charts of a run's profile, for notebooks and web pages. bokeh is imported when one is drawn."""
