"""Charts of a run's profile, for notebooks and for pages. bokeh is imported when one is drawn."""
