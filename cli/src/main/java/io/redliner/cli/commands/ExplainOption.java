// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.ExceedancePicture;
import io.redliner.cli.watch.RunFollower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The option that draws why a capacity is what it is. */
final class ExplainOption {

    @Option(names = "--explain", description = "Also draw why the capacity is what it is: the part of the requests beyond the limit at each load,"
            + " as counted and as fitted. JSON has the same points in any case, as exceedances.")
    private boolean explain;

    boolean isGiven() {
        return explain;
    }

    /** Returns the lines below those of a run; none without the option. */
    List<String> lines(JsonNode view) {
        if (!explain) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(ExceedancePicture.lines(view));
        return lines;
    }

    /**
     * Prints the lines below those of a run that was followed to its end.
     *
     * @param code with which it was followed
     */
    void print(int code, ControllerClient controller, String path, ClientOptions options)
            throws IOException, InterruptedException {
        if (explain && code != RunFollower.DETACHED && !options.isJson()) {
            lines(controller.get(path)).forEach(options.out()::println);
            options.out().flush();
        }
    }
}
