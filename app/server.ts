import * as build from "virtual:react-router/server-build";
import { createRequestHandler, type ServerBuild } from "react-router";

export const handle = createRequestHandler(build as ServerBuild, "production");
