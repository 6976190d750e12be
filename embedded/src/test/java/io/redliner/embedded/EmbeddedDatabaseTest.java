// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EmbeddedDatabaseTest {

    private Path folder = Path.of("");

    @BeforeEach
    void createFolder() throws Exception {
        folder = Files.createTempDirectory("redliner-test");
    }

    @AfterEach
    void deleteFolder() throws Exception {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Test
    void keeps_its_data_over_a_restart_in_the_same_folder() throws SQLException {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder.resolve("data"), FreePort.next())) {
            run(database, "create table kept (answer int); insert into kept values (42)");
        }

        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder.resolve("data"), FreePort.next())) {
            assertThat(answer(database)).isEqualTo(42);
        }
    }

    @Test
    void writes_through_to_the_disk_what_is_to_be_kept() throws SQLException {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder.resolve("data"), FreePort.next())) {
            assertThat(setting(database, "fsync")).isEqualTo("on");
            assertThat(setting(database, "synchronous_commit")).isEqualTo("on");
        }
    }

    @Test
    void ends_a_server_that_was_left_over_in_the_folder_and_keeps_its_data() throws Exception {
        EmbeddedDatabase abandoned = EmbeddedDatabase.start(folder.resolve("data"), FreePort.next());
        run(abandoned, "create table kept (answer int); insert into kept values (42)");
        long pid = Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid")).getFirst().strip());
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();

        OrphanedProcess.end(folder.resolve("data/postmaster.pid"), "postgres", folder.resolve("data"));

        assertThat(server.onExit().get()).isEqualTo(server);
        abandoned.close();
        try (EmbeddedDatabase database = EmbeddedDatabase.start(folder.resolve("data"), FreePort.next())) {
            assertThat(answer(database)).isEqualTo(42);
        }
    }

    @Test
    void leaves_a_process_alone_that_only_has_the_same_id_as_the_one_left_over() throws Exception {
        Path pidFile = folder.resolve("postmaster.pid");
        Process other = new ProcessBuilder("cat").start();
        try {
            Files.writeString(pidFile, other.pid() + "\n");

            OrphanedProcess.end(pidFile, "postgres", folder);

            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroy();
        }
    }

    @Test
    void starts_although_a_stranger_has_the_id_of_the_server_that_was_killed() throws Exception {
        Path data = folder.resolve("data");
        try (EmbeddedDatabase database = EmbeddedDatabase.start(data, FreePort.next())) {
            run(database, "create table kept (answer int); insert into kept values (42)");
        }
        // Two strangers: one of another name, and one that names a server and a folder.
        for (String[] command : new String[][]{{"sleep", "60"}, {"bash", "-c", "sleep 60; : postgres -D " + data}}) {
            Process stranger = new ProcessBuilder(command).start();
            Files.writeString(data.resolve("postmaster.pid"),
                    stranger.pid() + "\n" + data + "\n1\n5432\n\n127.0.0.1\n");
            if (command[0].equals("sleep")) {
                try (EmbeddedDatabase database = EmbeddedDatabase.start(data, FreePort.next())) {
                    assertThat(answer(database)).isEqualTo(42);
                }
                assertThat(stranger.isAlive()).isTrue();
            } else {
                OrphanedProcess.forgetStranger(data.resolve("postmaster.pid"), "postgres", data);
                assertThat(data.resolve("postmaster.pid")).as("it stands elsewhere").doesNotExist();
            }
            stranger.destroyForcibly();
        }
    }

    @Test
    void leaves_the_id_of_a_server_that_lives_in_the_folder() throws Exception {
        Path data = folder.resolve("data");
        try (EmbeddedDatabase database = EmbeddedDatabase.start(data, FreePort.next())) {
            OrphanedProcess.forgetStranger(data.resolve("postmaster.pid"), "postgres", data);
            assertThat(data.resolve("postmaster.pid")).exists();
            assertThat(setting(database, "fsync")).isEqualTo("on");
        }
    }

    @Test
    void a_server_that_cannot_start_says_why() throws Exception {
        Path data = folder.resolve("data");
        EmbeddedDatabase.start(data, FreePort.next()).close();
        Files.writeString(data.resolve("PG_VERSION"), "9\n");

        assertThatThrownBy(() -> EmbeddedDatabase.start(data, FreePort.next()))
                .hasMessageContaining("Cannot start PostgreSQL in " + data)
                .hasMessageContaining("postgresql.log").hasMessageContaining("not compatible");
    }

    /** Starts a server in the folder of its argument. */
    static final class Starting {

        public static void main(String[] arguments) {
            EmbeddedDatabase.start(Path.of(arguments[0]), FreePort.next()).close();
        }
    }

    @Test
    @Tag("fault")
    void a_temporary_folder_that_is_mounted_noexec_is_named_with_a_way_out() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        assumeTrue(mounted(temporary, "true").waitFor() == 0, "only root mounts");

        Process starting = mounted(temporary, Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary, "-cp", System.getProperty("java.class.path"), Starting.class.getName(),
                folder.resolve("data").toString());

        assertThat(new String(starting.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Cannot start PostgreSQL in " + folder.resolve("data") + ": no program can be run from "
                        + temporary + ", which may be mounted noexec; choose another folder with"
                        + " REDLINER_JAVA_OPTIONS=-Djava.io.tmpdir=FOLDER");
        assertThat(starting.waitFor()).isEqualTo(1);
    }

    /** Runs a command with a file system on this folder from which nothing may be run. */
    private static Process mounted(Path temporary, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of("unshare", "-m", "sh", "-c",
                "mount -t tmpfs -o noexec none \"$0\" && exec \"$@\"", temporary.toString()));
        words.addAll(List.of(command));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    @Test
    void an_id_that_was_damaged_is_nobodys() throws Exception {
        Path file = Files.write(folder.resolve("postmaster.pid"), new byte[]{(byte) 0xff, '\n'});

        assertThat(OrphanedProcess.find(file, "postgres", folder)).isEmpty();
    }

    private static void run(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String setting(EmbeddedDatabase database, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("show " + name)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static int answer(EmbeddedDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select answer from kept")) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }
}
