// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.RequestRejectedException;
import java.io.IOException;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The parameter RUN of a command: the id of a run or of a series. */
final class RunIdParameter {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    @Parameters(paramLabel = "RUN", description = "The id of a run or of a series.")
    private String id = "";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * A run or a series.
     *
     * @param path its path in the API, from {@code /api/v1} on
     * @param view its present view
     */
    record Found(String path, JsonNode view) {}

    /** A request about a run or a series. */
    @FunctionalInterface
    interface Request {

        /** Sends the request to a path, and returns the controller's answer. */
        JsonNode send(String path) throws IOException, InterruptedException;
    }

    /** Returns the id, which is valid as a part of an address. */
    String id() {
        return require(id, spec);
    }

    static String require(String id, CommandSpec spec) {
        if (!ID.matcher(id).matches()) {
            throw new ParameterException(spec.commandLine(), "'" + id + "' is no id of a run");
        }
        return id;
    }

    Found find(Request request) throws IOException, InterruptedException {
        return find(id(), request);
    }

    /** Sends a request about the run with an id, or about the series with that id when there is no such run. */
    static Found find(String id, Request request) throws IOException, InterruptedException {
        String run = "/api/v1/runs/" + id;
        try {
            return new Found(run, request.send(run));
        } catch (RequestRejectedException rejected) {
            if (!rejected.notFound()) {
                throw rejected;
            }
            String series = "/api/v1/series/" + id;
            try {
                return new Found(series, request.send(series));
            } catch (RequestRejectedException neither) {
                throw neither.notFound() ? rejected : neither;
            }
        }
    }
}
