// Combines incidents that begin together into one message.

const GATHER_MS = 400;

export class News {
  private readonly waiting: { rule: string; message: string }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tell: (words: string) => void) {}

  add(rule: string, message: string): void {
    this.waiting.push({ rule, message });
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private flush(): void {
    this.timer = undefined;
    const news = this.waiting.splice(0);
    const [first] = news;
    if (!first) return;
    const rules = [...new Set(news.map(({ rule }) => rule))];
    this.tell(
      news.length === 1
        ? `${first.rule}: ${first.message}`
        : `${news.length} new problems: ${rules.join(', ')}`,
    );
  }
}
