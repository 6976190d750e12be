// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.redliner.controller.ControllerApplication;
import io.redliner.controller.scene.Databases;
import io.redliner.testkit.TestDatabase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The database of a build before the schema was one file, or of a build that goes another way. */
class OtherSchemaTest {

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE flyway_schema_history SET checksum = 1 WHERE version = '1'",
        "UPDATE flyway_schema_history SET description = 'plans and runs' WHERE version = '1'",
        "INSERT INTO flyway_schema_history SELECT 0, '0.9', 'older', 'SQL', 'V0_9__older.sql', 1, 'me', now(), 1, true"})
    void a_controller_that_finds_the_schema_of_another_build_says_what_to_do(String change) {
        try (TestDatabase database = Databases.migrated()) {
            JdbcClient.create(new DriverManagerDataSource(database.jdbcUrl())).sql(change).update();

            Throwable refused = catchThrowable(() -> ControllerApplication.builder()
                    .run("--server.port=0", "--spring.datasource.url=" + database.jdbcUrl()).close());

            assertThat(refused).rootCause().isInstanceOf(OtherSchemaException.class)
                    .hasMessageContaining("another build of RedLiner").hasMessageContaining("empty database")
                    .hasMessageContaining("--data");
            FailureAnalysis analysis = requireNonNull(new OtherSchemaFailureAnalyzer().analyze(refused));
            assertThat(analysis.getAction()).startsWith("Give it an empty database");
            assertThatThrownBy(() -> {
                throw refused;
            }).hasMessageNotContaining("red-gate");
        }
    }
}
