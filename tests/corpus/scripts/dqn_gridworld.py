"""Double DQN with a target network and a replay buffer on a 5x5 grid with pits."""
import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class GridWorld:
    MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]

    def __init__(self, size=5, max_steps=40):
        self.size, self.max_steps = size, max_steps
        self.goal = (size - 1, size - 1)
        self.pits = {(1, 1), (3, 2), (1, 3)}

    def _obs(self):
        obs = np.zeros(2 * self.size, dtype=np.float32)
        obs[self.pos[0]] = 1.0
        obs[self.size + self.pos[1]] = 1.0
        return obs

    def reset(self, start=None):
        free = [(r, c) for r in range(self.size) for c in range(self.size)
                if (r, c) not in self.pits and (r, c) != self.goal]
        self.pos = start or random.choice(free)
        self.t = 0
        return self._obs()

    def step(self, action):
        self.t += 1
        dr, dc = self.MOVES[action]
        r = min(max(self.pos[0] + dr, 0), self.size - 1)
        c = min(max(self.pos[1] + dc, 0), self.size - 1)
        self.pos = (r, c)
        if self.pos == self.goal:
            return self._obs(), 1.0, True
        if self.pos in self.pits:
            return self._obs(), -1.0, True
        return self._obs(), -0.02, self.t >= self.max_steps


class QNet(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=64):
        super().__init__()
        self.fc1 = nn.Linear(obs_dim, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.head = nn.Linear(hidden, n_actions)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.head(x)


class Agent:
    def __init__(self, obs_dim, n_actions, lr=1e-3, gamma=0.95):
        self.n_actions, self.gamma = n_actions, gamma
        self.online = QNet(obs_dim, n_actions)
        self.target = QNet(obs_dim, n_actions)
        self.target.load_state_dict(self.online.state_dict())
        for p in self.target.parameters():
            p.requires_grad = False
        self.memory = deque(maxlen=5000)
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=lr)

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_actions)
        with torch.no_grad():
            return int(self.online(torch.from_numpy(obs)[None]).argmax(1))

    def learn(self, batch_size=128):
        obs, act, rew, nxt, done = zip(*random.sample(self.memory, batch_size))
        obs = torch.from_numpy(np.stack(obs))
        act = torch.tensor(act)
        rew = torch.tensor(rew, dtype=torch.float32)
        nxt = torch.from_numpy(np.stack(nxt))
        done = torch.tensor(done, dtype=torch.float32)
        q = self.online(obs).gather(1, act[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.online(nxt).argmax(1, keepdim=True)
            next_q = self.target(nxt).gather(1, best).squeeze(1)
            target = rew + self.gamma * (1 - done) * next_q
        loss = F.smooth_l1_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.online.parameters(), 10.0)
        self.optimizer.step()
        return loss.item()


def evaluate(agent, env):
    total = 0.0
    for start in [(0, 0), (0, 4), (4, 0), (2, 2), (0, 2)]:
        obs, done = env.reset(start), False
        while not done:
            obs, reward, done = env.step(agent.act(obs, eps=0.0))
            total += reward
    return total / 5


def main():
    seed = 11
    random.seed(seed), np.random.seed(seed), torch.manual_seed(seed)
    env = GridWorld()
    agent = Agent(10, 4)
    frames, updates, losses = 0, 0, []
    obs = env.reset()
    while updates < 600:
        eps = max(0.1, 1.0 - frames / 3000)
        action = agent.act(obs, eps)
        nxt, reward, done = env.step(action)
        agent.memory.append((obs, action, reward, nxt, done))
        obs = env.reset() if done else nxt
        frames += 1
        if frames > 1000 and frames % 6 == 0:
            losses.append(agent.learn())
            updates += 1
            if updates % 25 == 0:
                agent.target.load_state_dict(agent.online.state_dict())
            if updates % 50 == 0:
                print(f"updates {updates} frames {frames} eps {eps:.2f} "
                      f"loss {np.mean(losses[-50:]):.4f} return {evaluate(agent, env):.3f}")
                obs = env.reset()


if __name__ == "__main__":
    main()
