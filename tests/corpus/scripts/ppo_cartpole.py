"""PPO with separate policy and value networks on a vectorised CartPole written in numpy."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Config:
    envs: int = 8
    horizon: int = 128
    iterations: int = 15
    epochs: int = 5
    minibatch: int = 128
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    lr: float = 2.5e-3
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 1.0
    seed: int = 5


class CartPoleVec:
    def __init__(self, n, rng):
        self.n, self.rng = n, rng
        self.state = rng.uniform(-0.05, 0.05, (n, 4))
        self.length = np.zeros(n, dtype=int)

    def step(self, action):
        x, v, th, om = self.state.T
        force = np.where(action == 1, 10.0, -10.0)
        tmp = (force + 0.05 * om ** 2 * np.sin(th)) / 1.1
        acc_th = (9.8 * np.sin(th) - np.cos(th) * tmp) / (0.5 * (4 / 3 - 0.1 * np.cos(th) ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * np.cos(th) / 1.1
        self.state = np.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * om, om + 0.02 * acc_th], 1)
        self.length += 1
        done = (abs(self.state[:, 0]) > 2.4) | (abs(self.state[:, 2]) > 0.2095) | (self.length >= 500)
        finished = self.length[done].tolist()
        self.state[done] = self.rng.uniform(-0.05, 0.05, (done.sum(), 4))
        self.length[done] = 0
        return self.state, np.ones(self.n), done, finished


def layer(i, o, gain=np.sqrt(2)):
    lin = nn.Linear(i, o)
    nn.init.orthogonal_(lin.weight, gain)
    nn.init.constant_(lin.bias, 0.0)
    return lin


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(
            layer(4, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, 2, 0.01))
        self.critic = nn.Sequential(
            layer(4, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, 1, 1.0))

    def forward(self, obs):
        return Categorical(logits=self.actor(obs)), self.critic(obs).squeeze(-1)


def collect(env, obs, net, cfg):
    keys = ("obs", "act", "logp", "val", "rew", "done")
    buf = {k: [] for k in keys}
    lengths = []
    for _ in range(cfg.horizon):
        with torch.no_grad():
            dist, value = net(obs)
            action = dist.sample()
        nxt, rew, done, finished = env.step(action.numpy())
        lengths += finished
        row = (obs, action, dist.log_prob(action), value,
               torch.tensor(rew, dtype=torch.float32), torch.tensor(done, dtype=torch.float32))
        for k, item in zip(keys, row):
            buf[k].append(item)
        obs = torch.tensor(nxt, dtype=torch.float32)
    data = {k: torch.stack(v) for k, v in buf.items()}
    with torch.no_grad():
        next_value = net(obs)[1]
    adv, gae = torch.zeros_like(data["rew"]), 0.0
    for t in reversed(range(cfg.horizon)):
        alive = 1 - data["done"][t]
        delta = data["rew"][t] + cfg.gamma * next_value * alive - data["val"][t]
        gae = delta + cfg.gamma * cfg.lam * alive * gae
        adv[t] = gae
        next_value = data["val"][t]
    data["adv"], data["ret"] = adv, adv + data["val"]
    return {k: v.flatten(0, 1) for k, v in data.items()}, obs, lengths


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    env = CartPoleVec(cfg.envs, np.random.RandomState(cfg.seed))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr, eps=1e-5)
    obs = torch.tensor(env.state, dtype=torch.float32)
    for it in range(1, cfg.iterations + 1):
        for group in opt.param_groups:
            group["lr"] = cfg.lr * (1 - (it - 1) / cfg.iterations)
        data, obs, lengths = collect(env, obs, net, cfg)
        n = len(data["obs"])
        for _ in range(cfg.epochs):
            for idx in torch.randperm(n).split(cfg.minibatch):
                mb = {k: v[idx] for k, v in data.items()}
                dist, value = net(mb["obs"])
                adv = (mb["adv"] - mb["adv"].mean()) / (mb["adv"].std() + 1e-8)
                ratio = (dist.log_prob(mb["act"]) - mb["logp"]).exp()
                pg = -torch.min(ratio * adv, ratio.clamp(1 - cfg.clip, 1 + cfg.clip) * adv).mean()
                vf = 0.5 * ((value - mb["ret"]) ** 2).mean()
                ent = dist.entropy().mean()
                loss = pg + cfg.vf_coef * vf - cfg.ent_coef * ent
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), cfg.max_grad_norm)
                opt.step()
        mean_len = np.mean(lengths) if lengths else float("nan")
        print(f"iter {it:2d} episodes {len(lengths):3d} mean length {mean_len:6.1f} "
              f"pg {pg.item():.4f} vf {vf.item():.2f} entropy {ent.item():.3f}")


if __name__ == "__main__":
    main()
