import { Confirm } from "#app/ui/forms/confirm.tsx";
import { RowButton } from "./intent-button.tsx";

type User = { id: string; email: string; role: string; disabled: boolean; isMinor: boolean };

/** The changes that an operator can make to another account. A change of rights asks for a confirmation. */
export function UserButtons({ user }: { user: User }) {
  const { id, email } = user;
  return (
    <div className="admin-buttons">
      {user.disabled ? (
        <RowButton fields={{ id }} intent="enable" label="Enable" about={email} />
      ) : (
        <RowButton fields={{ email }} intent="reset-link" label="Password link" about={email} />
      )}
      {changesOf(user).map(({ intent, label, text }) => (
        <Confirm key={intent} label={label} about={email} text={text}>
          <RowButton fields={{ id }} intent={intent} label={`Yes: ${label.toLowerCase()}`} about={email} />
        </Confirm>
      ))}
    </div>
  );
}

const changesOf = ({ email, role, disabled, isMinor }: User) => [
  ...(disabled
    ? []
    : [
        {
          intent: "disable",
          label: "Disable",
          text: `${email} is signed out everywhere and can no longer sign in. The data stays.`,
        },
      ]),
  role === "operator"
    ? {
        intent: "demote",
        label: "Remove operator role",
        text: `${email} can no longer open these pages.`,
      }
    : {
        intent: "promote",
        label: "Make an operator",
        text: `${email} can then manage videos and accounts, yours too, and take this role away from you.`,
      },
  ...(isMinor
    ? [
        {
          intent: "remove-birthday",
          label: "Remove the birthday",
          text: `It says that ${email} is under 18. Without it, this member can turn parental control off and enter another birthday.`,
        },
      ]
    : []),
];
