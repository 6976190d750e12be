// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The parameter RUN of a command: the id of a run or of a series, or the letters that one begins with. */
final class RunIdParameter {

    static final String DESCRIPTION = "The id of a run or of a series, or its first letters, at least "
            + RunIdPrefix.MIN_LETTERS + ".";

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    @Parameters(paramLabel = "RUN", description = DESCRIPTION)
    private String id = "";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * A run or a series.
     *
     * @param path its path in the API, from {@code /api/v1} on
     * @param view the answer to the request about it
     */
    record Found<T>(String path, T view) {

        /** Returns the whole id. */
        String id() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /** A request about a run or a series. */
    @FunctionalInterface
    interface Request<T> {

        /** Sends the request to a path, and returns the controller's answer. */
        T send(String path) throws IOException, InterruptedException;
    }

    Found<JsonNode> find(ControllerClient controller) throws IOException, InterruptedException {
        return find(controller, RunIdPrefix.RUNS_AND_SERIES, controller::get);
    }

    <T> Found<T> find(ControllerClient controller, List<String> lists, Request<T> request)
            throws IOException, InterruptedException {
        return find(id, spec, controller, lists, request);
    }

    /**
     * Sends a request about the run with an id, or about the series with that id when there is no such run, or about the one whose
     * id begins so. An id is not looked up first: an abort also works while the controller has lost its database.
     *
     * @param lists paths of the API below which the request makes sense
     */
    static <T> Found<T> find(String id, CommandSpec spec, ControllerClient controller, List<String> lists,
            Request<T> request) throws IOException, InterruptedException {
        if (!ID.matcher(id).matches()) {
            throw new ParameterException(spec.commandLine(), "'" + id + "' is no id of a run");
        }
        RequestRejectedException unknown = null;
        for (String list : lists) {
            String path = list + "/" + id;
            try {
                return new Found<>(path, request.send(path));
            } catch (RequestRejectedException rejected) {
                if (!rejected.notFound()) {
                    throw rejected;
                }
                unknown = unknown == null ? rejected : unknown;
            }
        }
        String path = new RunIdPrefix(id, spec).path(controller, lists, Objects.requireNonNull(unknown));
        return new Found<>(path, request.send(path));
    }
}
