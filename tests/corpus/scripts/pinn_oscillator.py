"""Physics-informed network for u'' + w^2 u = 0, u(0)=0, u'(0)=w. The solution is sin(w t)."""
import torch
import torch.nn as nn

torch.manual_seed(1234)
torch.set_default_dtype(torch.float32)
W = 2.0


class MLP(nn.Module):
    def __init__(self, width=48, depth=3):
        super().__init__()
        dims = [1] + [width] * depth + [1]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        for lin in self.layers:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, t):
        for lin in self.layers[:-1]:
            t = torch.tanh(lin(t))
        return self.layers[-1](t)


def derivative(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residuals(net, t):
    t = t.requires_grad_(True)
    u = net(t)
    du = derivative(u, t)
    ddu = derivative(du, t)
    return ddu + W ** 2 * u


def boundary(net):
    t0 = torch.zeros(1, 1, requires_grad=True)
    u0 = net(t0)
    du0 = derivative(u0, t0)
    return u0, du0 - W


net = MLP()
t_data = torch.linspace(0, 3, 12)[:, None]      # a few noiseless measurements
u_data = torch.sin(W * t_data)
t_eval = torch.linspace(0, 3, 301)[:, None]
u_eval = torch.sin(W * t_eval)

n_iter = 600
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=n_iter, eta_min=1e-5)

for it in range(n_iter):
    t = 3 * torch.rand(128, 1)
    optimizer.zero_grad()
    loss_pde = residuals(net, t).pow(2).mean()
    u0, du0 = boundary(net)
    loss_bc = u0.pow(2).mean() + du0.pow(2).mean()
    loss_data = (net(t_data) - u_data).pow(2).mean()
    loss = 0.1 * loss_pde + loss_bc + 10 * loss_data
    loss.backward()
    optimizer.step()
    scheduler.step()
    if it % 50 == 0 or it == n_iter - 1:
        with torch.no_grad():
            mse = (net(t_eval) - u_eval).pow(2).mean().item()
        print(f"{it:4d} loss {loss.item():.3e} pde {loss_pde.item():.2e} bc {loss_bc.item():.2e} "
              f"data {loss_data.item():.2e} mse vs exact {mse:.2e}")
