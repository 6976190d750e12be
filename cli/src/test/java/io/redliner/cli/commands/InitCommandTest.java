// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of a first test, from flags or from answers; {@code InitFilesTest} reads them as RedLiner does. */
class InitCommandTest {

    private static final List<String> REQUIRED = List.of("--service", "shop", "--instances",
            "10.0.0.1:8080,10.0.0.2:8080");

    @TempDir
    Path folder;

    private FakeController.Ran init(List<String> options, String... more) {
        List<String> line = new ArrayList<>(List.of("init", "--dir", folder.toString()));
        line.addAll(options);
        line.addAll(List.of(more));
        return FakeController.execute(line.toArray(String[]::new));
    }

    private String file(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void flags_are_enough_and_the_next_steps_are_named() throws IOException {
        FakeController.Ran ran = init(REQUIRED);

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("redliner up --services " + folder + "/services.yaml",
                "Point the clients of shop to 127.0.0.1:10000 instead of to its instances.", "redliner doctor",
                "Test 10.0.0.1:8080: redliner run " + folder + "/plan.yaml --watch");
        assertThat(file("services.yaml")).contains("name: \"shop\"", "listen: \"127.0.0.1:10000\"",
                "[\"10.0.0.1:8080\", \"10.0.0.2:8080\"]");
        assertThat(file("plan.yaml")).contains("metadata: {name: shop-capacity}", "instance: \"10.0.0.1:8080\"",
                "latency.p99 <= duration('200ms')", "maxShare: 90%");
    }

    @Test
    void every_flag_counts() throws IOException {
        init(REQUIRED, "--listen", "[::1]:10001", "--latency", "1500ms", "--max-share", "70%");

        assertThat(file("services.yaml")).contains("listen: \"[::1]:10001\"");
        assertThat(file("plan.yaml")).contains("duration('1s500ms')", "maxShare: 70%");
    }

    @Test
    void files_that_are_there_are_kept_unless_they_are_to_be_replaced() throws IOException {
        Files.writeString(folder.resolve("plan.yaml"), "mine");

        FakeController.Ran ran = init(REQUIRED);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("plan.yaml is there already", "--dir", "--force");
        assertThat(file("plan.yaml")).isEqualTo("mine");
        assertThat(folder.resolve("services.yaml")).doesNotExist();

        assertThat(init(REQUIRED, "--force").code()).isZero();
        assertThat(file("plan.yaml")).contains("CapacityTest");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--service=a/b | --service 'a/b' is no service name",
        "--instances=10.0.0.1:8080 | fewer than two instances",
        "--instances=10.0.0.1:8080,10.0.0.1:8080 | names an instance twice",
        "--instances=shop-1:8080,shop-2:8080 | is no address: write it as 10.0.0.1:8080",
        "--instances=10.0.0.256:8080,10.0.0.1:1 | is no address",
        "--instances=10.0.0.1:0,10.0.0.2:70000 | is no address",
        "--instances=[::g]:1,[::1]:1 | is no address", "--listen=10.0.0.1:8080 | is an instance",
        "--listen=8080 | is no address", "--latency=200 | --latency '200' is no duration",
        "--max-share=50% | is not above the natural share of one of 2 instances, 50%",
        "--max-share=much | --max-share 'much'",
        "--dir=/nowhere | There is no folder /nowhere"})
    void what_cannot_be_used_is_named_and_nothing_is_written(String option, String words) {
        List<String> line = new ArrayList<>(List.of("--dir", folder.toString()));
        for (int at = 0; at < REQUIRED.size(); at += 2) {
            if (!option.startsWith(REQUIRED.get(at))) {
                line.addAll(REQUIRED.subList(at, at + 2));
            }
        }
        if (option.startsWith("--dir")) {
            line = line.subList(2, line.size());
        }
        line.addFirst("init");
        line.add(option);

        FakeController.Ran ran = FakeController.execute(line.toArray(String[]::new));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(words);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void five_questions_are_asked_again_until_the_answer_can_be_used() throws Exception {
        Process init = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                RedlinerCommand.class.getName(),
                "init", "--dir", folder.toString()).redirectErrorStream(true).start();
        init.getOutputStream().write("""
                shop
                10.0.0.1:8080
                10.0.0.1:8080 10.0.0.2:8080, 10.0.0.3:8080

                150ms
                60%
                """.getBytes(StandardCharsets.UTF_8));
        init.getOutputStream().close();
        String printed = new String(init.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(init.waitFor()).as(printed).isZero();
        assertThat(printed.lines().filter(line -> line.contains("?"))).hasSize(6);
        assertThat(printed).contains("'10.0.0.1:8080' names fewer than two instances", "[127.0.0.1:10000]", "[81%]");
        assertThat(file("plan.yaml")).contains("duration('150ms')", "maxShare: 60%");
    }

    @Test
    void without_an_answer_the_flag_is_named() throws Exception {
        Path err = folder.resolve("err");

        assertThat(InputAndOutputTest.shell(err, "\"$@\" init --dir '" + folder + "' < /dev/null")).isEqualTo(2);

        assertThat(Files.readString(err)).contains("There is no answer: give --service");
    }
}
