estimator.get_app_url(
    app_type=SupportedInteractiveAppTypes.TENSORBOARD
)
