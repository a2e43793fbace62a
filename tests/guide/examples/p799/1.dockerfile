FROM tensorflow/tensorflow:2.2.0rc2-gpu-py3
RUN /usr/bin/python3 -m pip install --upgrade pip
RUN pip install --upgrade protobuf
RUN pip install sagemaker-training
RUN pip install smdebug
CMD ["bin/bash"]
