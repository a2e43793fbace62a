// The pieces of a ring.

export const SIZE = 168;
const OUTER = 80;
const INNER = 50;

function point(radius: number, turn: number): string {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${(SIZE / 2 + radius * Math.cos(angle)).toFixed(2)} ${(SIZE / 2 + radius * Math.sin(angle)).toFixed(2)}`;
}

// Two arcs: one cannot end where it begins. The inner circle runs the other way, which makes it a
// hole.
function circle(radius: number, clockwise: 0 | 1): string {
  const arc = `A${radius} ${radius} 0 0 ${clockwise}`;
  return `M${point(radius, 0)}${arc} ${point(radius, 0.5)}${arc} ${point(radius, 0)}Z`;
}

// From and to are fractions of a turn.
export function ring(from: number, to: number): string {
  if (to - from > 0.9999) return circle(OUTER, 1) + circle(INNER, 0);
  const large = to - from > 0.5 ? 1 : 0;
  return (
    `M${point(OUTER, from)}A${OUTER} ${OUTER} 0 ${large} 1 ${point(OUTER, to)}` +
    `L${point(INNER, to)}A${INNER} ${INNER} 0 ${large} 0 ${point(INNER, from)}Z`
  );
}
