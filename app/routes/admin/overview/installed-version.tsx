type Props = {
  version: string;
  lastMigration: string;
  /** The backup that leads back to the previous version. */
  wayBack: { file: string; ago: string; commands: readonly string[] } | null;
};

/** The installed version, and how an operator goes back to the previous one. */
export const InstalledVersion = ({ version, lastMigration, wayBack }: Props) => (
  <section aria-labelledby="version">
    <h2 id="version">Version</h2>
    <p className="lead">
      Engawa {version}, database {lastMigration}.
    </p>
    {wayBack === null ? (
      <p>
        No update has changed the database yet. Before one does, the site writes a backup and names it here.
      </p>
    ) : (
      <>
        <p>
          The backup before the last change of the database was made {wayBack.ago}:{" "}
          <code className="admin-address">{wayBack.file}</code>. To go back, get the files of the version
          before, build them, and run this, with the site stopped. What was written since then is lost.
        </p>
        <pre className="admin-commands">{wayBack.commands.join("\n")}</pre>
      </>
    )}
  </section>
);
