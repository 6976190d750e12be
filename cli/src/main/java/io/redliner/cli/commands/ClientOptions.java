// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.cli.watch.FollowedRun;
import io.redliner.cli.watch.InterruptPrompt;
import io.redliner.cli.watch.LineOutput;
import io.redliner.cli.watch.RunFollower;
import io.redliner.cli.watch.RunOutput;
import io.redliner.cli.watch.TextLayout;
import io.redliner.cli.watch.Tty;
import io.redliner.contract.text.Utf8;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Options of every command that talks to a controller. */
public final class ClientOptions {

    private static final String URL = "REDLINER_URL";

    private static final String TOKEN = "REDLINER_TOKEN";

    private static final String TOKEN_FILE = "REDLINER_TOKEN_FILE";

    private static final String HERE = "http://127.0.0.1:8080";

    private static final int MAX_PORT = 65_535;

    /** The layout of all that is printed for people. */
    static final TextLayout LAYOUT = TextLayout.ofStandardOutput();

    /** Services that a message names. */
    private static final int MAX_NAMED = 20;

    /** Formats of the output. */
    enum Output {
        /** Lines for people. */
        TEXT,
        /** A document for programs. */
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Writes for programs: each decision as a line of JSON, and the run itself as the last one.
     *
     * @param out gets JSON alone
     * @param err what is for people
     */
    private record JsonLines(PrintWriter out, PrintWriter err) implements RunOutput {

        @Override
        public void print(String line) {
            err.println(line);
            err.flush();
        }

        @Override
        public void showDecision(JsonNode decision, FollowedRun run, Instant now) {
            showEnd(decision);
        }

        @Override
        public void showEnd(JsonNode run) {
            out.println(run);
            out.flush();
        }
    }

    @Option(names = "--url", paramLabel = "URL", description = "The controller (default: $REDLINER_URL, else " + HERE
            + ").")
    private @Nullable URI url;

    @Option(names = "--token-file", paramLabel = "FILE", description = "A file that holds an API token (default: $REDLINER_TOKEN, else"
            + " the file that $REDLINER_TOKEN_FILE names).")
    private @Nullable Path tokenFile;

    @Option(names = "--token", paramLabel = "TOKEN", description = "An API token. Other users of this machine can see it in the"
            + " list of processes: better use the environment or a file.")
    private @Nullable String token;

    @Option(names = "--output", paramLabel = "OUTPUT", defaultValue = "text", description = "${COMPLETION-CANDIDATES}; with json, the standard output gets JSON"
            + " alone (default: ${DEFAULT-VALUE}).")
    private Output output = Output.TEXT;

    private final Clock clock = Clock.system(ZoneId.systemDefault());

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Connects to the controller that the options name. */
    public ControllerClient connect() throws IOException {
        URI address = address();
        String secret = secret();
        if (secret != null && "http".equals(address.getScheme()) && !isHere(address.getHost())) {
            note("redliner: the token goes to " + address + " unencrypted; https would protect it");
        }
        return new ControllerClient(address, secret);
    }

    private URI address() {
        URI address = url;
        if (address == null) {
            String named = System.getenv().getOrDefault(URL, "");
            try {
                address = URI.create(named.isBlank() ? HERE : named.strip());
            } catch (IllegalArgumentException malformed) {
                throw new ParameterException(spec.commandLine(), URL + ": " + notAnAddress(named));
            }
        }
        String from = (url == null ? URL : "--url") + ": ";
        String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https").contains(scheme) || address.getHost() == null || address.getUserInfo() != null) {
            throw new ParameterException(spec.commandLine(), from + notAnAddress(address.toString()));
        }
        if (address.getPort() == 0 || address.getPort() > MAX_PORT) {
            throw new ParameterException(spec.commandLine(), from + "the port is a number from 1 to " + MAX_PORT
                    + ", not " + address.getPort());
        }
        return URI.create(scheme + address.toString().substring(scheme.length()));
    }

    /** Explains what an address looks like, without showing one that may contain a secret. */
    static String notAnAddress(String text) {
        String like = "The controller's address is one like https://redliner.example.com or http://[::1]:8080, ";
        return text.contains("@")
                ? like + "and has no user and no password in it: give an API token in " + TOKEN
                        + ", or in a file that --token-file or " + TOKEN_FILE + " names"
                : like + "not " + text;
    }

    private @Nullable String secret() throws IOException {
        if (token != null) {
            return checked(token.strip(), "--token");
        }
        if (tokenFile != null) {
            return read(tokenFile, "--token-file");
        }
        String inEnvironment = System.getenv().getOrDefault(TOKEN, "");
        if (!inEnvironment.isBlank()) {
            return checked(inEnvironment.strip(), TOKEN);
        }
        String file = System.getenv().getOrDefault(TOKEN_FILE, "");
        return file.isBlank() ? null : read(Path.of(file), TOKEN_FILE);
    }

    private String read(Path file, String named) throws IOException {
        String what = "The token file " + file + " (" + named + ")";
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new ParameterException(spec.commandLine(), what + " cannot be read");
        }
        String text;
        try {
            text = Utf8.decodeFile(Files.readAllBytes(file)).strip();
        } catch (CharacterCodingException otherEncoding) {
            throw new ParameterException(spec.commandLine(), what + " is not UTF-8");
        }
        if (text.isEmpty()) {
            throw new ParameterException(spec.commandLine(), what + " is empty");
        }
        return checked(text, what);
    }

    /** Refuses a text that is no token, without a part of it in the message. */
    private String checked(String secret, String named) {
        if (!secret.chars().allMatch(letter -> letter > ' ' && letter <= '~')) {
            throw new ParameterException(spec.commandLine(), named
                    + " has more than a token in it: a token is one line of ASCII letters, digits and signs, without blanks");
        }
        return secret;
    }

    private static boolean isHere(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    boolean isJson() {
        return output == Output.JSON;
    }

    /** Prints a document: as it is for programs, as lines for people. */
    void print(JsonNode document, Iterable<String> lines) {
        PrintWriter out = out();
        if (isJson()) {
            out.println(document.toPrettyString());
        } else {
            lines.forEach(line -> LAYOUT.wrap(line).forEach(out::println));
        }
        out.flush();
    }

    /** Prints lines for people; beside JSON they go to the standard error. */
    void tell(List<String> lines) {
        PrintWriter writer = isJson() ? err() : out();
        lines.forEach(line -> LAYOUT.wrap(line).forEach(writer::println));
        writer.flush();
    }

    /**
     * Follows a run or a series to its end, at the user's terminal or wherever the output goes.
     *
     * @param path of the run or the series
     * @param now the present view of it
     * @param watch whether each window matters, or only what happens
     * @param before lines to be printed first
     * @return the exit code
     */
    int follow(ControllerClient controller, String path, JsonNode now, boolean watch, List<String> before)
            throws IOException, InterruptedException {
        try (Tty tty = Tty.withKeys()) {
            InterruptPrompt prompt = new InterruptPrompt(tty);
            Tty.onInterrupt(prompt::pressed);
            RunOutput runOutput = isJson()
                    ? new JsonLines(out(), err())
                    : watch ? tty.output("Ctrl-C: abort or detach", out()) : new LineOutput(out());
            before.forEach(runOutput::print);
            return new RunFollower(controller, runOutput, prompt, clock).follow(path, now, watch);
        }
    }

    /** Returns a text as a part of an address. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns this machine's clock. */
    Instant here() {
        return clock.instant();
    }

    /** Returns the controller's clock at its newest answer, else that of this machine. */
    Instant now(ControllerClient controller) {
        return controller.answeredAt().orElseGet(clock::instant);
    }

    /**
     * Reads an instant as people write it, in the zone of this machine.
     *
     * @throws ParameterException when it is none; the message says how to write one
     */
    Instant instant(String option, String text, InstantText.Side side) {
        return instant(option, text, Instant.MIN, side);
    }

    /** Reads an instant as people write it: a weekday, or a time alone, is meant after now and after another instant. */
    Instant instantAfter(String option, String text, Instant other) {
        return instant(option, text, other, InstantText.Side.FUTURE);
    }

    private Instant instant(String option, String text, Instant other, InstantText.Side side) {
        ZonedDateTime now = ZonedDateTime.now(clock);
        try {
            return InstantText.parse(text, now, other.isAfter(now.toInstant()) ? other.atZone(now.getZone()) : now,
                    side);
        } catch (IllegalArgumentException malformed) {
            throw new ParameterException(spec.commandLine(), option + " '" + text + "' " + malformed.getMessage());
        }
    }

    /** Returns an instant for people, in the zone of this machine. */
    String show(Instant instant) {
        return InstantText.show(instant, ZonedDateTime.now(clock));
    }

    /** Prints a line for people at once: on the standard error when the standard output is for programs. */
    void progress(String line) {
        PrintWriter people = isJson() ? err() : out();
        LAYOUT.wrap(line).forEach(people::println);
        people.flush();
    }

    /** Prints a line for people on the standard error. */
    void note(String line) {
        LAYOUT.wrap(line).forEach(err()::println);
        err().flush();
    }

    /**
     * Requires that the controller knows a service, so that a slip in its name is not taken for a service on which nothing happens.
     *
     * @param service null for none in particular
     * @throws ParameterException with the names that are known
     */
    void requireService(ControllerClient controller, @Nullable String service)
            throws IOException, InterruptedException {
        if (service == null) {
            return;
        }
        List<String> known = controller.list("/api/v1/services").path("items").valueStream()
                .map(item -> TerminalSafeText.text(item.path("name"))).sorted().toList();
        if (!known.contains(service)
                && controller.list("/api/v1/runs?limit=1&service=" + encode(service))
                        .path("items").isEmpty()) {
            throw new ParameterException(spec.commandLine(), "No service '" + service + "' is known. "
                    + (known.isEmpty()
                            ? "No redirector reports a service"
                            : "Known are: " + String.join(", ", known.subList(0, Math.min(MAX_NAMED, known.size())))
                                    + (known.size() > MAX_NAMED ? ", ..." : "")));
        }
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
