// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The published document against the running service: schemathesis sends what the document allows and what it does not,
 * and no answer may be a 5xx, of an undocumented status or type, or of another shape than the document says. A token is
 * asked for, so that answers to those without one are looked at too. Left out are the stream of events, which does not
 * end, and the engaging of the kill switch, which would keep all that comes after from starting a run; its release is not.
 * Failures are in target/schemathesis.
 */
@Tag("contract")
@SequentialTests
class SchemathesisTest {

    private static final String VERSION = "4.32.5";

    private static final String TOKEN = "0123456789abcdef0123456789abcdef-schemathesis";

    private static final Path FOLDER = Path.of("target", "schemathesis").toAbsolutePath();

    private static final Path TOOL = FOLDER.resolve("venv/bin/schemathesis");

    private static final Map<String, Object> SETTINGS = Map.of("redliner.controller.access.mode", "authenticated",
            "redliner.controller.access.bootstrap-token", TOKEN, "redliner.controller.access.requests-per-minute",
            1_000_000, "redliner.controller.access.failures-per-minute", 1_000_000);

    private static final String[] SIGNED_IN = {"Authorization", "Bearer " + TOKEN};

    @BeforeAll
    static void install_the_tool() throws IOException, InterruptedException {
        install();
    }

    @Test
    void whatever_is_sent_the_answer_is_as_the_document_says() throws IOException, InterruptedException {
        try (Scene scene = Scene.real(SETTINGS, SIGNED_IN)) {
            scene.plane("shop");
            scene.awaitPhase(scene.start("shop"), "Finished");
            assertThat(scene.client().put("/api/v1/plans/weekly", Scene.plan("shop", "weekly")).status())
                    .isEqualTo(200);
            check(scene, "all", "", "--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "10",
                    // What is well formed may still be refused, for no schema says which plans make sense.
                    "--exclude-checks", "positive_data_acceptance");
        }
    }

    /** In virtual time, since runs of each profile and two series would take minutes. */
    @Test
    void what_is_there_is_answered_as_the_document_says() throws IOException, InterruptedException {
        try (Scene scene = Scene.virtual(SETTINGS, SIGNED_IN)) {
            Contract known = Contract.fill(scene);
            check(scene, "known", addresses(known), "--phases", "coverage", "--include-method", "GET", "--mode",
                    "positive", "--checks",
                    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance");
        }
    }

    private static String addresses(Contract known) {
        StringBuilder settings = new StringBuilder("""
                [parameters]
                "path.id" = "%s"
                "path.service" = "%s"
                "path.name" = "%s"
                "path.plan" = "%s"
                "path.address" = "10.0.0.1:8080"
                "path.sequence" = 1
                """.formatted(known.runs().getFirst(), known.service(), known.service(), known.service()));
        for (String path : List.of("/api/v1/series/{id}", "/api/v1/freezes/{id}", "/api/v1/events/deployments/{id}",
                "/api/v1/calendars/{name}")) {
            String address = known.addresses(path).getFirst();
            settings.append("""

                    [[operations]]
                    include-path = "%s"
                    parameters = { "path.%s" = "%s" }
                    """.formatted(path, path.replaceAll(".*\\{|}", ""),
                    address.substring(address.lastIndexOf('/') + 1)));
        }
        return settings.toString();
    }

    private static void check(Scene scene, String name, String settings, String... options)
            throws IOException, InterruptedException {
        Path config = Files.writeString(FOLDER.resolve(name + ".toml"), settings);
        int port = scene.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        List<String> command = new ArrayList<>(List.of(TOOL.toString(), "--config-file", config.toString(), "run",
                "http://127.0.0.1:" + port + "/api/v1/openapi.json", "--no-color", "--seed", "1", "--workers", "1",
                "--generation-database", "none", "--request-timeout", "20", "--continue-on-failure",
                "--exclude-operation-id", "followRun", "--exclude-operation-id", "followLiveRuns",
                "--exclude-operation-id", "engageKillSwitch", "--header",
                "Authorization: Bearer " + TOKEN));
        command.addAll(List.of(options));
        Path said = FOLDER.resolve(name + ".log");
        int exit = run(said, 5, command);
        assertThat(exit).as(() -> "see " + said + "\n" + text(said)).isZero();
    }

    private static void install() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path done = FOLDER.resolve("installed-" + VERSION);
        if (Files.exists(done)) {
            return;
        }
        Path said = FOLDER.resolve("install.log");
        String need = "schemathesis " + VERSION + " is needed: Python 3.10 or newer with its module venv, and the"
                + " Python package index (or an index that pip is configured for); see " + said + "\n";
        assertThat(run(said, 2, List.of("python3", "-m", "venv", FOLDER.resolve("venv").toString())))
                .as(() -> need + text(said))
                .isZero();
        assertThat(run(said, 5, List.of(FOLDER.resolve("venv/bin/python").toString(), "-m", "pip", "install",
                "--disable-pip-version-check", "--quiet", "schemathesis==" + VERSION)))
                .as(() -> need + text(said))
                .isZero();
        Files.createFile(done);
    }

    private static int run(Path said, int minutes, List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).directory(FOLDER.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
        } catch (IOException missing) {
            throw new AssertionError(command.getFirst() + " cannot be started; schemathesis needs Python 3.10 or newer",
                    missing);
        }
        try {
            assertThat(process.waitFor(minutes, TimeUnit.MINUTES)).as(() -> "took too long\n" + text(said)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
