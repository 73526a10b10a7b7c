import { eventDays } from "#app/domain/events/events.ts";

type ActivityItem = { id: string; text: string; time: string; facts: readonly string[] };

export function ActivityList({ activity }: { activity: readonly ActivityItem[] }) {
  return (
    <>
      <p className="quiet">
        If you do not recognize something here, change your password and sign out everywhere else. Events are
        kept for {eventDays} days, and your downloaded data has all of them.
      </p>
      {activity.length > 0 && (
        <details>
          <summary className="link disclosure">Show it</summary>
          <ul className="settings-rows">
            {activity.map(({ id, text, time, facts: [ago, ...facts] }) => (
              <li key={id}>
                <span>
                  {text}
                  <span className="quiet">
                    <time dateTime={time}>{ago}</time>
                    {facts.map((fact) => ` · ${fact}`)}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
