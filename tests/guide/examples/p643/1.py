optional_create_presigned_url_kwargs={"ExpiresInSeconds": 1500}
