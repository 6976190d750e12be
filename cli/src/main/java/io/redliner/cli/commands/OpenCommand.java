// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner open}: the page of a run, of a series, of a service, or the overview. */
@Command(name = "open", mixinStandardHelpOptions = true, description = {
    "Prints the address of a page of the dashboard, and opens it in a browser: with $BROWSER, xdg-open or open."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the address is printed", "1:there is no such run, or the controller could not be asked",
        "2:the command line cannot be understood"})
final class OpenCommand extends ControllerCommand {

    private static final List<String> BROWSERS = List.of("xdg-open", "open");

    /** The page; the overview without any. */
    static final class Page {

        @Parameters(paramLabel = "RUN", description = RunIdParameter.DESCRIPTION)
        private @Nullable String run;

        @Option(names = "--service", required = true, paramLabel = "SERVICE", description = "The page of this service.")
        private @Nullable String service;
    }

    @ArgGroup
    private @Nullable Page page;

    @Option(names = "--print", description = "Print the address, and open nothing.")
    private boolean print;

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        String address = address(controller);
        ObjectNode answer = controller.object().put("url", address);
        options.print(answer, List.of(address));
        if (!print && !isShown(address)) {
            options.note(
                    "redliner open: no browser could be started; set BROWSER to one, or open the address by hand");
        }
        return 0;
    }

    private String address(ControllerClient controller) throws IOException, InterruptedException {
        if (page != null && page.run != null) {
            return controller.page(RunIdParameter.find(page.run, spec, controller, RunIdPrefix.RUNS_AND_SERIES,
                    controller::get).path());
        }
        if (page != null && page.service != null) {
            options.requireService(controller, page.service);
            return controller + "/services/" + ClientOptions.encode(page.service);
        }
        return controller + "/";
    }

    /** Starts the first browser that there is. Returns false when there is none. */
    private static boolean isShown(String address) {
        String named = System.getenv().getOrDefault("BROWSER", "");
        return (named.isBlank() ? BROWSERS.stream() : Stream.of(named.strip()))
                .anyMatch(browser -> isStarted(browser, address));
    }

    private static boolean isStarted(String browser, String address) {
        try {
            new ProcessBuilder(browser, address).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            return true;
        } catch (IOException missing) {
            return false;
        }
    }
}
