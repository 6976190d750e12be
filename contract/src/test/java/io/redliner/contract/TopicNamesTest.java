// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNamesTest {

    /** A topic's name that is no meter's: some meters are named alike. */
    private static final Pattern NAME = Pattern.compile("(?<!(counter|builder|find|get)\\(|METRIC = )\"redliner\\."
            + Arrays.stream(Topic.values()).map(Topic::suffix).collect(Collectors.joining("|", "(", ")")) + "\"");

    /** An id that has no prefix. */
    private static final Pattern ID = Pattern.compile("(GROUP|CLIENT|APPLICATION|TRANSACTIONAL)_ID_CONFIG,\\s*\"");

    @Test
    void names_without_a_prefix_that_was_set_are_those_of_earlier_versions() {
        assertThat(Topic.values()).extracting(TopicNames.DEFAULT::name).containsExactly("redliner.observations",
                "redliner.runs", "redliner.verdicts", "redliner.leases", "redliner.lease-status",
                "redliner.deployments", "redliner.parked");
        assertThat(TopicNames.DEFAULT.id("redliner-analyzer")).isEqualTo("redliner-analyzer");
    }

    @Test
    void everything_of_another_installation_starts_with_its_prefix() {
        var shop = new TopicNames("shop.");

        assertThat(Topic.values()).extracting(shop::name).allMatch(name -> name.startsWith("shop."))
                .doesNotHaveDuplicates();
        assertThat(shop.id("redliner-analyzer")).isEqualTo("shop.redliner-analyzer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redliner.", "a", "Shop_2-eu.", ".", "..", "__"})
    void what_kafka_takes_is_a_prefix(String prefix) {
        assertThat(new TopicNames(prefix).prefix()).isEqualTo(prefix);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "shop/", "sh op.", "schön.", "shop\n", "shop:", "*"})
    void what_kafka_refuses_is_refused_with_what_to_set(String prefix) {
        assertThatThrownBy(() -> new TopicNames(prefix)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("redliner.kafka.topic-prefix is \"" + prefix
                        + "\"; set it to 1 to 200 characters out of a-z, A-Z, 0-9, '.', '_' and '-', such as \"redliner.\"");
    }

    @Test
    void the_longest_prefix_leaves_room_for_every_name() {
        var longest = new TopicNames("p".repeat(200));

        assertThat(Topic.values()).extracting(longest::name).allMatch(name -> name.length() <= 249);
        assertThat(longest.id("redliner-analyzer-analysis-changelog")).hasSizeLessThanOrEqualTo(249);
        assertThatThrownBy(() -> new TopicNames("p".repeat(201))).hasMessageContaining("1 to 200 characters");
    }

    @Test
    void no_main_code_names_a_topic_or_an_id_without_the_prefix() throws IOException {
        assertThat(NAME.matcher("new ProducerRecord<>(\"redliner.lease-status\", value)").find()).isTrue();
        assertThat(ID.matcher("ConsumerConfig.GROUP_ID_CONFIG,\n\"redliner-analyzer\"").find()).isTrue();

        var files = mainCode();

        assertThat(files).hasSizeGreaterThan(500);
        assertThat(files.stream().filter(file -> holds(file, NAME) || holds(file, ID))).isEmpty();
    }

    private static List<Path> mainCode() throws IOException {
        var files = new ArrayList<Path>();
        try (Stream<Path> modules = Files.find(Path.of(".."), 2, (path, about) -> about.isDirectory())) {
            for (Path folder : modules.map(module -> module.resolve("src/main")).filter(Files::isDirectory).toList()) {
                try (Stream<Path> found = Files.walk(folder)) {
                    found.filter(file -> file.toString().matches(".*\\.(java|ya?ml|properties)")).forEach(files::add);
                }
            }
        }
        return files;
    }

    private static boolean holds(Path file, Pattern literal) {
        try {
            return literal.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
