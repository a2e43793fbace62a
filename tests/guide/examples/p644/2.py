print(
    estimator.get_app_url(
        app_type=SupportedInteractiveAppTypes.TENSORBOARD,
        open_in_default_web_browser=False,
    )
)
