// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code build/release} packs with a Maven that is a script, and its archive starts. {@code .ci/release} does it for real. */
class ReleaseTest {

    /** Makes the jars and the list of components that Maven would. */
    private static final String MAVEN = """
            #!/bin/bash
            echo "$*" > "$CALLS/mvn"
            for word; do case $word in -Drevision=*) version=${word#*=} ;; esac; done
            mkdir -p cli/target/release/lib standalone/target/release/lib
            printf 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==' | base64 -d > "$CALLS/empty.jar"
            for jar in cli-$version picocli-4.7.7; do cp "$CALLS/empty.jar" cli/target/release/lib/$jar.jar; done
            for jar in cli-$version picocli-4.7.7 standalone-$version kafka-4.2.1; do
              cp "$CALLS/empty.jar" standalone/target/release/lib/$jar.jar
            done
            cat > standalone/target/release/bom.json <<EOF
            {"metadata": {"component": {"group": "io.redliner", "name": "standalone", "version": "$version", "licenses": [{"license": {"id": "Apache-2.0"}}]}},
             "components": [
              {"group": "io.redliner", "name": "cli", "version": "$version", "licenses": [{"license": {"id": "Apache-2.0"}}],
               "externalReferences": [{"type": "vcs", "url": "https://example.com/of-the-parents-parent"}]},
              {"group": "info.picocli", "name": "picocli", "version": "4.7.7", "licenses": [{"license": {"id": "Apache-2.0"}}]},
              {"group": "org.apache.kafka", "name": "kafka", "version": "4.2.1", "licenses": [$LICENCE]}]}
            EOF
            """;

    /** Packs a chart as Helm does, with other times in the archive each time. */
    private static final String HELM = """
            #!/bin/bash
            tar -C "${2%/*}" --mtime="@$RANDOM" -czf "$8/redliner-$4.tgz" "${2##*/}"
            """;

    private static final String JAVA = "#!/bin/bash\necho \"java $*\"\n";

    private static final String LICENCE = "{\"license\": {\"name\": \"The Apache License\"}}";

    @TempDir
    Path folder;

    private Path checkout;

    private Path bin;

    private record Ran(int code, String text) {}

    @BeforeEach
    void checkOut() throws IOException {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        for (String file : List.of("build/release", "build/third-party", "build/launch", "build/jdk",
                "deploy/release/redliner", "deploy/helm/package", "deploy/helm/tools",
                "deploy/helm/redliner/values.yaml", "deploy/prometheus/redliner-rules.yaml",
                "deploy/grafana/redliner-itself.json", "docs/guides/install.md", "LICENSE", "CHANGELOG.md",
                "UPGRADING.md",
                "pom.xml", "deploy/examples/capacity.yaml", "deploy/envoy/everything.yaml")) {
            Path to = checkout.resolve(file);
            Files.createDirectories(to.getParent());
            Files.copy(Path.of("..").resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
        }
        bin = Files.createDirectories(folder.resolve("bin"));
        executable(bin.resolve("mvn"), MAVEN);
        executable(bin.resolve("helm"), HELM);
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void java(Path home, String version) throws IOException {
        executable(home.resolve("bin/java"), JAVA);
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private Ran run(Map<String, String> environment, Object... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(Stream.of(command).map(Object::toString).toList())
                .redirectErrorStream(true).redirectOutput(output.toFile()).directory(folder.toFile());
        builder.environment().keySet()
                .removeAll(List.of("HOME", "REDLINER_IMAGES", "REDLINER_JAVA_OPTIONS", "XDG_CACHE_HOME"));
        builder.environment()
                .putAll(Map.of("CALLS", folder.toString(), "REDLINER_CACHE", folder.toString(), "LICENCE", LICENCE,
                        "JAVA_HOME",
                        System.getProperty("java.home"), "PATH", bin + ":" + System.getenv("PATH")));
        builder.environment().putAll(environment);
        return new Ran(builder.start().waitFor(), Files.readString(output));
    }

    private Ran release(String... version) throws IOException, InterruptedException {
        return run(Map.of(), Stream.concat(Stream.of(checkout.resolve("build/release")), Stream.of(version)).toArray());
    }

    /** Makes a release, and unpacks it into a folder. */
    private Path unpack(String into) throws IOException, InterruptedException {
        Ran made = release("1.2.3");
        assertThat(made.code()).as(made.text()).isZero();
        Path to = Files.createDirectories(folder.resolve(into));
        assertThat(run(Map.of(), "tar", "-C", to, "-xzf", checkout.resolve("target/release/redliner-1.2.3.tar.gz")))
                .isEqualTo(new Ran(0, ""));
        return to.resolve("redliner-1.2.3");
    }

    @Test
    void has_the_jars_in_two_folders_and_says_what_is_in_it() throws Exception {
        Path release = unpack("unpacked");

        try (Stream<Path> files = Files.walk(release)) {
            assertThat(files.filter(Files::isRegularFile).map(file -> release.relativize(file).toString())).contains(
                    "redliner", "README.md", "LICENSE", "THIRD-PARTY.txt", "bom.json", "lib/launch", "lib/find-java",
                    "lib/cli/cli-1.2.3.jar", "lib/cli/picocli-4.7.7.jar", "lib/kafka-4.2.1.jar",
                    "lib/standalone-1.2.3.jar", "deploy/examples/capacity.yaml", "deploy/envoy/everything.yaml")
                    .doesNotContain("lib/cli-1.2.3.jar", "lib/picocli-4.7.7.jar");
        }
        assertThat(folder.resolve("mvn")).content().contains("-Pquick,release", "-Drevision=1.2.3 ");
        assertThat(release.resolve("THIRD-PARTY.txt")).content()
                .contains("\nkafka-4.2.1.jar: The Apache License\n", "\npicocli-4.7.7.jar: Apache-2.0\n")
                .doesNotContain("standalone");
        assertThat(release.resolve("bom.json")).content().contains("kafka").doesNotContain("of-the-parents-parent");
        assertThat(run(Map.of(), "bash", "-c", "cd checkout/target/release && sha256sum --check SHA256SUMS"))
                .isEqualTo(
                        new Ran(0, "redliner-1.2.3.tar.gz: OK\nredliner-1.2.3.tgz: OK\nredliner-1.2.3.cdx.json: OK\n"));
    }

    @Test
    void is_the_same_each_time() throws Exception {
        assertThat(release("1.2.3").code()).isZero();
        Path sums = checkout.resolve("target/release/SHA256SUMS");
        String first = Files.readString(sums);
        assertThat(release("1.2.3").code()).isZero();

        assertThat(sums).content().isEqualTo(first);
    }

    @Test
    void has_a_chart_that_takes_the_released_images() throws Exception {
        Ran ran = run(Map.of("REDLINER_IMAGES", "registry.example.com:5000/Team/RedLiner"),
                checkout.resolve("build/release"), "1.2.3");

        assertThat(ran.code()).as(ran.text()).isZero();
        assertThat(ran.text()).contains(".tgz takes the images registry.example.com:5000/team/redliner/...:1.2.3\n");
        assertThat(run(Map.of(), "tar", "-xzOf", checkout.resolve("target/release/redliner-1.2.3.tgz"),
                "redliner/values.yaml").text())
                .contains("  registry: \"registry.example.com:5000\" ", "  repository: team/redliner ");
        assertThat(run(Map.of("REDLINER_IMAGES", "/team/redliner"), checkout.resolve("build/release"), "1.2.3").text())
                .contains("REDLINER_IMAGES is '/team/redliner': write it like ");
    }

    @Test
    void takes_the_version_from_the_tag_and_refuses_one_whose_files_were_changed() throws Exception {
        String git = "git -c user.name=x -c user.email=x@example.com -c commit.gpgsign=false ";
        Ran tagged = run(Map.of(), "bash", "-c", "cd checkout && " + git + "init -q && echo target > .gitignore && "
                + git + "add . && " + git + "commit -qm x && " + git + "tag v3.2.1 && build/release");
        assertThat(tagged.code()).as(tagged.text()).isZero();
        assertThat(checkout.resolve("target/release/redliner-3.2.1.tar.gz")).exists();

        assertThat(run(Map.of(), "bash", "-c", "cd checkout && git tag v3.2.1-rc.1 && build/release"))
                .isEqualTo(new Ran(1,
                        "build/release: this commit has several tags (v3.2.1, v3.2.1-rc.1): name the VERSION\n"));
        assertThat(run(Map.of(), "bash", "-c", "cd checkout && git tag -d v3.2.1-rc.1").code()).isZero();

        Files.writeString(checkout.resolve("LICENSE"), "mine");
        assertThat(release()).isEqualTo(new Ran(1, "build/release: this commit has the tag v3.2.1, but files were"
                + " changed since: commit them, or name another VERSION\n"));
        assertThat(release("next")).isEqualTo(
                new Ran(1, "build/release: 'next' is no version: write it like 1.2.3 or 1.2.3-rc.1\n"));
    }

    @Test
    void is_not_made_of_a_library_whose_licence_nobody_knows() throws Exception {
        Ran ran = run(Map.of("LICENCE", ""), checkout.resolve("build/release"), "1.2.3");

        assertThat(ran).isEqualTo(new Ran(1, "kafka-4.2.1.jar: its licence is not known\n"));
    }

    @Test
    void starts_by_a_link_from_a_folder_with_spaces_that_nobody_may_write_to() throws Exception {
        Path release = unpack("with some spaces");
        java(folder.resolve("a jre"), "21.0.4");
        Path link = Files.createSymbolicLink(folder.resolve("redliner"), release.resolve("redliner"));
        assertThat(run(Map.of(), "chmod", "-R", "a-w", release).code()).isZero();
        Map<String, Long> before = sizes(release);

        Ran demo = run(Map.of("JAVA_HOME", folder.resolve("a jre").toString()), link, "demo");
        assertThat(demo.code()).as(demo.text()).isZero();
        assertThat(demo.text()).startsWith("java ").contains(
                " -cp " + release + "/lib/cli/*:" + release + "/lib/* " + StandaloneCommand.class.getName()
                        + " demo\n");
        Ran status = run(Map.of("JAVA_HOME", folder.resolve("a jre").toString()), link, "status");
        assertThat(status.text()).contains(" -cp " + release + "/lib/cli/* io.redliner.cli.commands.RedlinerCommand");
        assertThat(sizes(release)).isEqualTo(before);
        assertThat(run(Map.of(), "chmod", "-R", "u+w", release).code()).isZero();
    }

    private static Map<String, Long> sizes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(Path::toString, file -> file.toFile().length()));
        }
    }

    /** Runs the launcher where the machine has no Java but that of the folder, whatever is installed on it. */
    private Ran launchWith(Path release, String javaHome) throws IOException, InterruptedException {
        for (String program : List.of("bash", "dirname", "readlink", "basename", "mkdir", "locale")) {
            Files.createSymbolicLink(Files.createDirectories(folder.resolve("few")).resolve(program), onPath(program));
        }
        Path script = release.resolve("lib/find-java");
        // The folders of the machine in which Java may be.
        Files.writeString(script, Files.readString(script).replace(" /usr/lib/jvm/*", "").replace(" /opt/java/*", "")
                .replace("/Library/Java/JavaVirtualMachines/*/Contents/Home", ""));
        return run(Map.of("PATH", folder.resolve("few").toString(), "JAVA_HOME", javaHome), release.resolve("redliner"),
                "demo");
    }

    private static Path onPath(String program) {
        return Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable).findFirst().orElseThrow();
    }

    @Test
    void without_java_it_says_what_to_install() throws Exception {
        assertThat(launchWith(unpack("unpacked"), "")).isEqualTo(new Ran(1, "RedLiner needs Java 21 or newer, a runtime"
                + " (JRE) is enough, and found none: install one (for example Temurin 25), or set JAVA_HOME to one.\n"));
    }

    @Test
    void with_a_java_that_is_too_old_it_says_which_one_it_found() throws Exception {
        Path old = folder.resolve("old");
        java(old, "17.0.15");

        assertThat(launchWith(unpack("unpacked"), old.toString()).text()).isEqualTo("RedLiner needs Java 21 or newer, a"
                + " runtime (JRE) is enough, and found only 17.0.15 (" + old
                + "): install one (for example Temurin 25), or set JAVA_HOME to one.\n");
    }

    @Test
    void a_folder_that_lacks_something_or_that_java_cannot_name_is_refused() throws Exception {
        Path colon = unpack("a:b");
        assertThat(run(Map.of(), colon.resolve("redliner"), "demo").text())
                .startsWith("redliner: Java cannot be started from ").endsWith(": move the folder\n");

        Files.delete(colon.resolve("lib/launch"));
        Ran broken = run(Map.of(), colon.resolve("redliner"), "demo");
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.text()).contains(" is not a whole release: ");
    }
}
