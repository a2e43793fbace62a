library(testthat)
library(sagemaker.debugger)

test_check("sagemaker.debugger")
