estimator.fit(wait=False)
