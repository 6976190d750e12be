// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import static io.redliner.redirector.testing.Promptly.promptly;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.discovery.ServiceDefinition;
import io.redliner.redirector.discovery.ServiceDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicesFilePollerTest {

    private final Said said = new Said();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Path file = Path.of("");

    private ServicesFilePoller watcher = new ServicesFilePoller(
            new ServicesProperties(file, Duration.ofMillis(250)), said);

    /** Keeps names of services, and problems behind an exclamation mark. */
    static final class Said implements ServiceDefinitions.Listener {

        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void defined(ServiceDefinitions definitions) {
            all.add(String.join(" ", definitions.services().stream().map(ServiceDefinition::name).toList()));
        }

        @Override
        public void definitionsRejected(String reason) {
            all.add("!" + reason);
        }
    }

    private static String services(String... names) {
        StringBuilder text = new StringBuilder("services:\n");
        for (String name : names) {
            text.append("  - name: ").append(name).append("\n    instances: [\"10.0.0.1:80\", \"10.0.0.2:80\"]\n");
        }
        return text.toString();
    }

    @BeforeEach
    void begin() throws IOException {
        file = folder.resolve("services.yaml");
        Files.writeString(file, services("cart"));
        watcher = new ServicesFilePoller(new ServicesProperties(file, Duration.ofMillis(250)), said);
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watcher.poll();
        }
    }

    @Test
    void hands_on_a_change_once_and_as_a_whole() throws IOException {
        // given
        look(3);

        // when
        Files.writeString(file, services("cart", "search"));
        look(3);

        // then
        assertThat(said.all).containsExactly("cart", "cart search");
    }

    @Test
    void a_file_that_is_being_written_is_not_taken_for_a_shorter_one() throws IOException {
        // given
        look(2);

        // when
        Files.writeString(file, "");
        look(1);
        Files.writeString(file, services("search"));
        look(1);
        Files.writeString(file, services("search", "cart"));
        look(2);

        // then
        assertThat(said.all).containsExactly("cart", "search cart");
    }

    @Test
    void notices_a_change_that_the_time_of_the_file_does_not_show() throws IOException {
        // given
        FileTime time = Files.getLastModifiedTime(file);
        look(2);

        // when
        Files.writeString(file, services("tarc"));
        Files.setLastModifiedTime(file, time);
        look(2);

        // then
        assertThat(said.all).containsExactly("cart", "tarc");
    }

    @Test
    void says_once_with_line_and_column_what_is_wrong_and_goes_on_when_it_is_mended() throws IOException {
        // given
        look(2);

        // when
        Files.writeString(file, services("cart").replace("name", "nam"));
        look(5);
        Files.writeString(file, services("cart"));
        look(2);

        // then
        assertThat(said.all).hasSize(3);
        assertThat(said.all.get(1)).startsWith("!" + file + ":2:5: $.services[0].name: is required and missing; ")
                .contains(file + ":2:5: $.services[0].nam: is unknown here");
        assertThat(said.all.get(2)).isEqualTo("cart");
    }

    @Test
    void says_once_that_the_file_is_missing() throws IOException {
        // given
        look(2);

        // when
        Files.delete(file);
        look(5);
        Files.writeString(file, services("cart"));
        look(2);

        // then
        assertThat(said.all).hasSize(3);
        assertThat(said.all.get(1)).contains("there is no such file");
    }

    @Test
    void does_not_notice_a_file_that_was_away_between_two_looks() throws IOException {
        // given
        look(2);

        // when
        Files.delete(file);
        look(1);
        Files.writeString(file, services("cart"));
        look(3);

        // then
        assertThat(said.all).containsExactly("cart");
    }

    @Test
    void notices_within_a_second_a_file_that_an_editor_renames_into_place() throws IOException {
        try (ServicesFilePoller running = watcher) {
            // given
            running.begin();
            promptly("the first look", () -> assertThat(said.all).containsExactly("cart"));

            // when
            Path fresh = Files.writeString(folder.resolve(".services.yaml.swp"), services("search"));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);

            // then
            promptly("a renamed file", () -> assertThat(said.all).containsExactly("cart", "search"));
        }
    }

    @Test
    void notices_within_a_second_a_config_map_whose_folder_is_swapped() throws IOException {
        // given: as Kubernetes mounts it, services.yaml -> ..data/services.yaml, ..data -> ..version
        Files.delete(file);
        version("1", services("cart"));
        Files.createSymbolicLink(file, Path.of("..data", "services.yaml"));
        try (ServicesFilePoller running = watcher) {
            running.begin();
            promptly("the first look", () -> assertThat(said.all).containsExactly("cart"));

            // when
            version("2", services("search"));

            // then
            promptly("a swapped folder", () -> assertThat(said.all).containsExactly("cart", "search"));
        }
    }

    private void version(String name, String text) throws IOException {
        Path version = Files.createDirectory(folder.resolve(".." + name));
        Files.writeString(version.resolve("services.yaml"), text);
        Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
        Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }
}
