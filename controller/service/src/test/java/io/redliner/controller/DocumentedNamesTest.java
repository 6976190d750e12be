// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.StopCode;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;

/** The tables of the documentation have every setting and every stop code that there is, and no other. */
class DocumentedNamesTest {

    private static final Path DOCS = Path.of("..", "..", "docs", "controller");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void every_setting_is_in_the_table_and_no_other() throws Exception {
        assertThat(documentedSettings()).hasSizeGreaterThan(50).isEqualTo(settings());
    }

    @Test
    void every_stop_code_is_in_the_lifecycle_and_no_other() throws Exception {
        SortedSet<String> codes = Stream.of(StopCode.values()).map(StopCode::wireName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(cells(DOCS.resolve("lifecycle.md"), 3, "stop code")).isEqualTo(codes);
    }

    private static SortedSet<String> settings() throws ClassNotFoundException {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        SortedSet<String> names = new TreeSet<>();
        for (var found : scanner.findCandidateComponents("io.redliner.controller")) {
            Class<?> type = Class.forName(found.getBeanClassName());
            names(type.getAnnotation(ConfigurationProperties.class).value(), type, names);
        }
        return names;
    }

    private static void names(String prefix, Class<?> record, SortedSet<String> names) {
        for (RecordComponent component : record.getRecordComponents()) {
            name(prefix + "." + kebab(component.getName()), component.getGenericType(), names);
        }
    }

    private static void name(String name, Type type, SortedSet<String> names) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
            name(name + ".<>", generic.getActualTypeArguments()[1], names);
        } else if (type instanceof Class<?> nested && nested.isRecord() && nested.getName().startsWith("io.redliner")) {
            names(name, nested, names);
        } else {
            names.add(name);
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** In the first column; one that begins with a point has the same parent as the one before. */
    private static SortedSet<String> documentedSettings() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(DOCS.resolve("settings.md"))) {
            Matcher matcher = CODE.matcher(line.startsWith("| `redliner.controller.") ? line.split("\\|", 3)[1] : "");
            String parent = "";
            while (matcher.find()) {
                String written = matcher.group(1).replaceAll("<[^>]+>", "<>");
                String name = written.startsWith(".") ? parent + written : written;
                parent = name.substring(0, name.lastIndexOf('.'));
                assertThat(ConfigurationPropertyName.isValid(name.replace(".<>", ""))).as(name).isTrue();
                names.add(name);
            }
        }
        return names;
    }

    private static SortedSet<String> cells(Path file, int column, String header) throws IOException {
        SortedSet<String> codes = new TreeSet<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(file)) {
            String[] cells = line.startsWith("|") ? line.split("\\|") : new String[0];
            if (cells.length <= column) {
                inTable = false;
            } else if (cells[column].strip().equals(header)) {
                inTable = true;
            } else if (inTable) {
                CODE.matcher(cells[column]).results().forEach(found -> codes.add(found.group(1)));
            }
        }
        return codes;
    }
}
