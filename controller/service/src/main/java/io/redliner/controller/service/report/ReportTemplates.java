// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.contract.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/**
 * Renders the templates of reports: the HTML pages and JUnit's XML. All texts are escaped. Characters that XML does not allow, and
 * those that people do not see as they are stored, become U+FFFD.
 */
final class ReportTemplates {

    private static final String FOLDER = "controller-report/";

    private static final TemplateEngine ENGINE = engine();

    private ReportTemplates() {}

    private static TemplateEngine engine() {
        ClassLoaderTemplateResolver templates = new ClassLoaderTemplateResolver(ReportTemplates.class.getClassLoader());
        templates.setPrefix(FOLDER);
        templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
        SpringTemplateEngine engine = new SpringTemplateEngine();
        engine.setTemplateResolver(templates);
        return engine;
    }

    /** Renders the HTML page of a report. */
    static String page(Map<String, Object> model) {
        return process("report.html", model);
    }

    /** Renders the HTML page of a comparison. */
    static String comparison(Map<String, Object> model) {
        return process("comparison.html", model);
    }

    /** Renders a report as JUnit XML, one test for each result. */
    static String junit(Map<String, Object> model) {
        return process("junit.xml", model);
    }

    private static String process(String template, Map<String, Object> model) {
        return PlainText.shown(ENGINE.process(template, new Context(Locale.ROOT, model)));
    }

    /** Reads a file beside the templates. */
    static String text(String name) {
        try (InputStream file = ReportTemplates.class.getClassLoader().getResourceAsStream(FOLDER + name)) {
            return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
