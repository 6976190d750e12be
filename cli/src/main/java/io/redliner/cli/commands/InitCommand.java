// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code redliner init}: a services file and a plan for the first test of a service. */
@Command(name = "init", mixinStandardHelpOptions = true, description = {
    "Writes services.yaml and plan.yaml for the first capacity test of a service, and says where to point its clients.",
    "Asks for what is not given; with --service and --instances, the rest is as its default says and nothing is asked."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:both are written", "1:they could not be written", "2:the command line or an answer cannot be understood"})
final class InitCommand implements Callable<Integer> {

    private static final String SERVICES = "services.yaml";

    private static final String PLAN = "plan.yaml";

    @Option(names = "--service", paramLabel = "SERVICE", description = "Its name.")
    private @Nullable String service;

    @Option(names = "--instances", paramLabel = "LIST", description = "Two or more addresses, as 10.0.0.1:8080,10.0.0.2:8080; the first one is tested.")
    private @Nullable String instances;

    @Option(names = "--listen", paramLabel = "ADDRESS", description = "Where its clients will send their requests (default: 127.0.0.1:10000).")
    private @Nullable String listen;

    @Option(names = "--latency", paramLabel = "DURATION", description = "What 99 of 100 requests must not exceed (default: 200ms).")
    private @Nullable String latency;

    @Option(names = "--max-share", paramLabel = "SHARE", description = "The largest part of the requests that the tested instance may get, as 60%% (default: by the number of instances).")
    private @Nullable String maxShare;

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = ".", description = "The folder for the files (default: the present one).")
    private Path folder = Path.of("");

    @Option(names = "--force", description = "Replace files that are there.")
    private boolean force;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private @Nullable BufferedReader answers;

    @Override
    public Integer call() throws IOException {
        requireFree();
        if (service == null || instances == null) {
            answers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        }
        String name = value("--service", service, "What is the service called?", "", StarterFiles::requireService);
        List<String> addresses = value("--instances", instances,
                "Which instances does it have? Two or more of IP:port; the first one is tested.", "",
                StarterFiles::instances);
        String address = value("--listen", listen, "At which address will its clients send their requests?",
                "127.0.0.1:10000", text -> StarterFiles.requireFree(StarterFiles.address(text), addresses));
        String limit = value("--latency", latency, "What must 99 of 100 requests not exceed?", "200ms",
                StarterFiles::requireDuration);
        String share = value("--max-share", maxShare, "Which part of the requests may the tested instance get at most?",
                StarterFiles.usualShare(addresses.size()), text -> StarterFiles.requireShare(text, addresses.size()));
        StarterFiles files = new StarterFiles(name, addresses, address, limit, share);
        write(SERVICES, files.servicesFile());
        write(PLAN, files.plan());
        for (String line : List.of("Wrote " + folder.resolve(SERVICES) + " and " + folder.resolve(PLAN) + ".",
                "1. Start RedLiner: redliner up --services " + folder.resolve(SERVICES),
                "2. Point the clients of " + name + " to " + address + " instead of to its instances.",
                "3. See what is missing: redliner doctor",
                "4. Test " + addresses.getFirst() + ": redliner run " + folder.resolve(PLAN) + " --watch")) {
            print(line);
        }
        return 0;
    }

    private void print(String line) {
        ClientOptions.LAYOUT.wrap(line).forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().flush();
    }

    private void requireFree() {
        if (!Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "There is no folder " + folder.toAbsolutePath());
        }
        for (String file : List.of(SERVICES, PLAN)) {
            if (!force && Files.exists(folder.resolve(file))) {
                throw new ParameterException(spec.commandLine(), folder.resolve(file)
                        + " is there already: name another folder with --dir, or replace it with --force");
            }
        }
    }

    private void write(String file, String text) throws IOException {
        try (OutputFile output = new OutputFile(folder.resolve(file))) {
            output.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Returns the value of an option, or the answer to its question, which is asked until it can be used.
     *
     * @param usual the value without an answer; empty where there has to be one
     * @param parser throws an {@link IllegalArgumentException} whose message follows the text
     */
    private <T> T value(String option, @Nullable String given, String question, String usual,
            Function<String, T> parser)
            throws IOException {
        BufferedReader reader = answers;
        if (given != null || reader == null) {
            String text = given == null ? usual : given;
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException mistake) {
                throw new ParameterException(spec.commandLine(), option + " '" + text + "' " + mistake.getMessage());
            }
        }
        while (true) {
            print(question + (usual.isEmpty() ? "" : " [" + usual + "]"));
            String answer = reader.readLine();
            if (answer == null) {
                throw new ParameterException(spec.commandLine(),
                        "There is no answer: give " + option
                                + (usual.isEmpty() ? "" : ", or an empty line for " + usual));
            }
            String text = answer.isBlank() ? usual : answer.strip();
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException mistake) {
                print("'" + text + "' " + mistake.getMessage());
            }
        }
    }
}
