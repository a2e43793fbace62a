# # Convolutional autoencoder
# Notebook exported to a script. Compress 24x24 blob images to 16 numbers and rebuild them.

# In[1]:
import torch
from torch import nn, optim

torch.manual_seed(123)
device = "cuda" if torch.cuda.is_available() else "cpu"

# In[2]: data
N, S = 1600, 24
ys, xs = torch.meshgrid(torch.linspace(-1, 1, S), torch.linspace(-1, 1, S), indexing="ij")
cx, cy = torch.rand(N, 1, 1) * 1.2 - 0.6, torch.rand(N, 1, 1) * 1.2 - 0.6
sx, sy = 0.15 + 0.25 * torch.rand(N, 1, 1), 0.15 + 0.25 * torch.rand(N, 1, 1)
images = torch.exp(-((xs - cx) / sx) ** 2 - ((ys - cy) / sy) ** 2) * (0.6 + 0.4 * torch.rand(N, 1, 1))
images = (images + 0.02 * torch.randn(N, S, S)).clamp(0, 1).unsqueeze(1)
train_x, test_x = images[:1440], images[1440:]
train_loader = torch.utils.data.DataLoader(train_x, batch_size=32, shuffle=True)


# In[3]: model
class Encoder(nn.Module):
    def __init__(self, latent_dim=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(True),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(True),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(True),
        )
        self.fc = nn.Linear(32 * 3 * 3, latent_dim)

    def forward(self, x):
        return self.fc(self.net(x).flatten(1))


class Decoder(nn.Module):
    def __init__(self, latent_dim=16):
        super().__init__()
        self.fc = nn.Linear(latent_dim, 32 * 3 * 3)
        self.net = nn.Sequential(
            nn.ReLU(True),
            nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(True),
            nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(True),
            nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1), nn.Sigmoid(),
        )

    def forward(self, z):
        return self.net(self.fc(z).view(-1, 32, 3, 3))


encoder, decoder = Encoder().to(device), Decoder().to(device)
optimizer = optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=2e-3, weight_decay=1e-6)
loss_fn = nn.MSELoss()

# In[4]: train
history = {"train_loss": [], "val_loss": []}
step_losses = []
for epoch in range(10):
    encoder.train()
    decoder.train()
    epoch_losses = []
    for batch in train_loader:
        batch = batch.to(device)
        optimizer.zero_grad()
        decoded = decoder(encoder(batch))
        loss = loss_fn(decoded, batch)
        loss.backward()
        optimizer.step()
        epoch_losses.append(loss.item())
        step_losses.append(loss.item())

    encoder.eval()
    decoder.eval()
    with torch.no_grad():
        val_loss = loss_fn(decoder(encoder(test_x.to(device))), test_x.to(device)).item()
    history["train_loss"].append(sum(epoch_losses) / len(epoch_losses))
    history["val_loss"].append(val_loss)
    print("EPOCH {:2d}/10 \t train loss {:.5f} \t val loss {:.5f}".format(epoch + 1, history["train_loss"][-1], val_loss))

# In[5]: how good is it against always answering with the mean image?
baseline = ((test_x - train_x.mean(0)) ** 2).mean().item()
print("mean image: {:.5f}, autoencoder: {:.5f}".format(baseline, history["val_loss"][-1]))
print("lowest loss of a step: {:.5f}".format(float(min(step_losses))))
