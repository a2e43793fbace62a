def train(epochs, batch_size, learning_rate):
    ...
    print('acc:{:.4f}'.format(correct/total))
    hook.save_scalar("accuracy", correct/total, sm_metric=True)
torch.save(model.state_dict(), os.environ['SM_MODEL_DIR'] + '/model.pt')
