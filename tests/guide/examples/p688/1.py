from sagemaker.debugger import CollectionConfig
collection_configs=[
    CollectionConfig(name="weights"),
    CollectionConfig(name="gradients")
]
