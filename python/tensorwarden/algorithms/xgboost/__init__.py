"""XGBoost without a script."""
