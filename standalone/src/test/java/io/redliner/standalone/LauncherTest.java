// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.cli.commands.RedlinerCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code redliner} in a checkout whose Maven and JDK are scripts that write down how they were called. */
class LauncherTest {

    private static final String MAVEN = """
            #!/bin/bash
            echo "$* | $JAVA_HOME" >> "$CALLS/mvn"
            echo '[INFO] Building RedLiner 0.1.0-SNAPSHOT                              [1/3]'
            echo '[INFO] Downloaded from central: https://repo.example.com/a.jar (12 kB at 3 kB/s)'
            echo '[INFO] Building RedLiner SLA rules 0.1.0-SNAPSHOT                    [2/3]'
            echo '[INFO] Building RedLiner standalone 0.1.0-SNAPSHOT                   [3/3]'
            mkdir -p cli/target/quick/lib standalone/target/quick/lib
            [ ! -e "$CALLS/broken" ] || { echo '[ERROR] Some.java:[4,31] cannot find symbol'; exit 1; }
            """;

    private static final String JAVA = """
            #!/bin/bash
            case "$*" in
              *AOTCacheOutput=* | *ArchiveClassesAtExit=*) for word; do case $word in *Output=* | *AtExit=*) echo > "${word#*=}" ;; esac; done ;;
              *) echo "${LC_ALL:-}${LC_CTYPE:-}java $*" ;;
            esac
            """;

    @TempDir
    Path folder;

    private Path checkout;

    private Path source;

    /** What the launcher wrote, and how it ended. */
    private record Ran(int code, String out, String err) {}

    @BeforeEach
    void checkOut() throws IOException {
        checkout = Files.createDirectories(folder.resolve("a checkout"));
        source = checkout.resolve("sla/src/main/java/Some.java");
        write(source, "class Some {}");
        write(checkout.resolve("pom.xml"), "<project/>");
        write(checkout.resolve(".mvn/maven.config"), "-T 2 --builder=smart --no-transfer-progress");
        for (String script : List.of("redliner", "build/jdk", "build/launch")) {
            executable(checkout.resolve(script), Files.readString(Path.of("..").resolve(script)));
        }
        executable(folder.resolve("bin/mvn"), MAVEN);
        executable(folder.resolve("jdk/bin/java"), JAVA);
        executable(folder.resolve("jdk/bin/javac"), "#!/bin/bash\n");
        write(folder.resolve("jdk/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.3\"\n");
        // As if they had been there for long.
        try (Stream<Path> files = Files.walk(checkout)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void executable(Path file, String text) throws IOException {
        write(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Ran launch(String... arguments) throws IOException, InterruptedException {
        return launch(Map.of(), arguments);
    }

    private Ran launch(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(checkout.resolve("redliner").toString()), Stream.of(arguments)).toList())
                .redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("CALLS", folder.toString());
        builder.environment().keySet()
                .removeAll(List.of("REDLINER_JAVA_OPTIONS", "HOME", "LANG", "LC_ALL", "LC_CTYPE"));
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        Ran ran = new Ran(code, Files.readString(out), Files.readString(err));
        if (code == 0) {
            // It is made in the background, and must be over before the folder is deleted, or another one is made.
            String module = ran.out().contains("/cli/target/") ? "cli" : "standalone";
            Path archive = await().until(() -> archive(module), Optional::isPresent).orElseThrow();
            await().until(() -> new ProcessBuilder("flock", "-n", archive + ".lock", "true").start().waitFor() == 0);
        }
        return ran;
    }

    private Optional<Path> archive(String module) throws IOException {
        try (Stream<Path> files = Files.list(checkout.resolve(module + "/target/quick"))) {
            return files.filter(file -> file.toString().endsWith(".archive")).findFirst();
        }
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(folder.resolve("mvn"));
    }

    @Test
    void builds_without_the_gates_on_the_jdk_it_found_and_says_which_module() throws Exception {
        Ran ran = launch("status");
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("redliner: module 1 of 2: SLA rules\n", "redliner: module 2 of 2: standalone\n",
                "redliner: built in ");
        assertThat(ran.out()).contains("java ").endsWith("io.redliner.cli.commands.RedlinerCommand status\n");
        assertThat(builds()).hasSize(1).first().asString().startsWith("-T 2 ").contains(" -Pquick ")
                .doesNotContain("--no-transfer-progress", "--builder").endsWith(" | " + folder.resolve("jdk"));
    }

    @Test
    void builds_again_only_when_a_source_has_changed_or_is_gone() throws Exception {
        launch("status");
        assertThat(launch("status").err()).isEmpty();
        assertThat(builds()).hasSize(1);
        Files.writeString(source, "class Some { }");
        launch("status");
        assertThat(builds()).hasSize(2);
        launch("status");
        assertThat(builds()).hasSize(2);
        Files.delete(source);
        launch("status");
        assertThat(builds()).hasSize(3);
    }

    @Test
    void does_not_take_what_an_ordinary_build_left() throws Exception {
        write(checkout.resolve("standalone/target/lib/standalone.jar"), "");
        Ran ran = launch("demo");
        assertThat(builds()).hasSize(1);
        assertThat(ran.out()).contains("-cp " + checkout + "/standalone/target/quick/lib/* ");
    }

    @Test
    void what_a_controller_is_asked_runs_on_the_small_class_path_and_all_else_with_everything() throws Exception {
        for (String verb : StandaloneCommand.VERBS.keySet()) {
            // Both tell of every verb.
            boolean small = RedlinerCommand.VERBS.containsKey(verb) && !List.of("completion", "man").contains(verb);
            assertThat(launch(verb).out()).as(verb).contains(small
                    ? "-cp " + checkout + "/cli/target/quick/lib/* " + RedlinerCommand.class.getName()
                    : "-cp " + checkout + "/standalone/target/quick/lib/* " + StandaloneCommand.class.getName());
        }
        assertThat(launch("--help").out()).contains(StandaloneCommand.class.getName());
    }

    @Test
    void finds_the_verb_behind_options_that_come_before_it() throws Exception {
        assertThat(launch("--url", "http://host", "status").out()).contains("/cli/target/quick/lib/*",
                RedlinerCommand.class.getName() + " --url http://host status\n");
        assertThat(launch("--port", "0", "demo").out()).contains("-XX:+UseG1GC", StandaloneCommand.class.getName());
        assertThat(launch("--token", "demo", "status").out()).contains(StandaloneCommand.class.getName());
        assertThat(launch("--help", "status").out()).contains(StandaloneCommand.class.getName());
        assertThat(launch("--url").out()).contains(StandaloneCommand.class.getName());
    }

    @Test
    void shows_the_end_of_a_failed_builds_log_and_tries_again() throws Exception {
        write(folder.resolve("broken"), "");
        Ran ran = launch("status");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("[ERROR] Some.java:[4,31] cannot find symbol",
                "whole log is " + checkout.resolve("target/quick/build.log")).doesNotContain("Downloaded");
        Files.delete(folder.resolve("broken"));
        assertThat(launch("status").code()).isZero();
        assertThat(builds()).hasSize(2);
    }

    @Test
    void starts_short_verbs_from_an_archive_once_there_is_one_and_long_ones_without() throws Exception {
        String option = "-XX:AOTCache=" + checkout.resolve("cli/target/quick/java-25.0.3");
        assertThat(launch("status").out()).doesNotContain(option);
        assertThat(launch("status").out()).contains(option);
        launch("--help");
        assertThat(launch("--help").out()).contains(option.replace("/cli/", "/standalone/"));
        assertThat(launch("demo").out()).doesNotContain(option).contains("-XX:+UseG1GC");
    }

    @Test
    void tries_to_make_an_archive_again_a_day_after_a_failure() throws Exception {
        launch("status");
        Path archive = archive("cli").orElseThrow();
        Path failed = Path.of(archive + ".failed");
        Files.move(archive, failed);
        Files.setLastModifiedTime(failed, FileTime.from(Instant.now().minus(Duration.ofHours(49))));

        // It waits for the archive.
        assertThat(launch("status").code()).isZero();
    }

    @Test
    void gives_java_a_locale_in_which_no_letter_is_lost_and_needs_no_home() throws Exception {
        assertThat(launch("status").out()).startsWith("C.UTF-8java ");
        assertThat(launch(Map.of("LC_ALL", "C", "HOME", folder.toString()), "status").out()).startsWith("C.UTF-8java ");
        assertThat(launch(Map.of("LANG", "de_DE.ISO-8859-1"), "status").out()).startsWith("C.UTF-8java ");
        assertThat(launch(Map.of("LC_ALL", "C.UTF-8", "LC_CTYPE", "C"), "status").out()).startsWith("C.UTF-8Cjava ");
    }

    /** The setting that ssh sends from another machine, or that a container without languages has. */
    @ParameterizedTest
    @ValueSource(strings = {"LC_CTYPE=UTF-8", "LC_ALL=xx_XX.UTF-8", "LANG=xx_XX.utf8", "LC_CTYPE=xx_XX.UTF-8"})
    void a_locale_that_this_machine_does_not_have_is_none_whatever_its_name(String setting) throws Exception {
        assertThat(launch(Map.of(setting.replaceFirst("=.*", ""), setting.replaceFirst(".*=", "")), "status").out())
                .startsWith("C.UTF-8").contains("java ");
    }

    @Test
    void passes_over_a_jdk_that_is_too_old_without_starting_it() throws Exception {
        write(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.15\"\n");
        executable(folder.resolve("jdk/bin/java"), "#!/bin/bash\necho started >&2\n");
        Path newer = folder.resolve("newer");
        executable(newer.resolve("bin/java"), JAVA);
        executable(newer.resolve("bin/javac"), "#!/bin/bash\n");
        write(newer.resolve("release"), "JAVA_VERSION=\"21\"\n");
        Files.createSymbolicLink(folder.resolve("bin/java"), newer.resolve("bin/java"));
        Ran ran = launch("status");
        assertThat(ran.err()).doesNotContain("started");
        assertThat(ran.out()).doesNotContain("--sun-misc-unsafe-memory-access");
        assertThat(builds()).first().asString().endsWith(" | " + newer.toRealPath());
        assertThat(launch("status").out()).contains("-XX:SharedArchiveFile=");
    }
}
