/** How many titles have which score: a drawing, and the same as a table. */
export function ScoreChart({ scores, mean }: { scores: readonly number[]; mean: number }) {
  const most = Math.max(1, ...scores);
  return (
    <section aria-labelledby="scores">
      <h2 id="scores">My scores</h2>
      <p className="quiet numeric">Mean {mean.toFixed(1)}</p>
      <svg className="score-chart" viewBox="0 0 320 128" aria-hidden="true">
        {scores.map((count, index) => {
          const [x, height] = [index * 32, (count / most) * 88];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the score
            <g key={index}>
              <rect x={x + 4} y={104 - Math.max(height, 2)} width={24} height={Math.max(height, 2)} rx={3} />
              {count > 0 && (
                <text x={x + 16} y={104 - height - 5} textAnchor="middle">
                  {count}
                </text>
              )}
              <text x={x + 16} y={122} textAnchor="middle">
                {index + 1}
              </text>
            </g>
          );
        })}
      </svg>
      <table className="visually-hidden">
        <caption>Titles by my score</caption>
        <thead>
          <tr>
            <th scope="col">Score</th>
            <th scope="col">Titles</th>
          </tr>
        </thead>
        <tbody>
          {scores.map((count, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the score
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
