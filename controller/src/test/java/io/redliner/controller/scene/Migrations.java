// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.JdbcTemplate;

/** The controller's schema, for tests that have a database and no controller. */
public final class Migrations {

    private Migrations() {}

    /** Makes the schema in an empty database, migration by migration. */
    public static void apply(DataSource database) throws IOException {
        List<Resource> migrations = Stream.of(new PathMatchingResourcePatternResolver()
                .getResources("classpath*:db/migration/controller/V*.sql"))
                .sorted(Comparator.comparingInt(Migrations::version))
                .toList();
        JdbcTemplate jdbc = new JdbcTemplate(database);
        for (Resource migration : migrations) {
            jdbc.execute(migration.getContentAsString(StandardCharsets.UTF_8));
        }
    }

    /** As a number: V10 comes after V9. */
    private static int version(Resource migration) {
        String name = Objects.requireNonNull(migration.getFilename());
        return Integer.parseInt(name, 1, name.indexOf("__"), 10);
    }
}
