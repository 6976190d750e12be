// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.text.PlainText;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.report.Section;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Wires the REST resources and the views of runs. */
@Configuration(proxyBeanMethods = false)
@Import({PlanValidationService.class, RunViewAssembler.class, RunLookup.class, RunEventStream.class,
    LiveRunStream.class})
class WebConfiguration implements WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new ControlCharacterInterceptor());
        registry.addInterceptor(new EncodingGuard());
        registry.addInterceptor(new UnknownParameterInterceptor());
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(new WholeNumbers());
    }

    @Bean
    SectionSource planNotes(RunViewAssembler views) {
        return run -> {
            List<Section.Fact> notes = views.notes(run.plan().json()).stream()
                    .map(note -> new Section.Fact("Note", note))
                    .toList();
            return notes.isEmpty()
                    ? List.of()
                    : List.of(new Section("notes", "Notes on the plan", notes, List.of(), List.of()));
        };
    }

    /** Refuses bodies with a Content-Encoding: nothing here decompresses, since a small body could become a huge one. */
    static final class EncodingGuard implements HandlerInterceptor {

        private static final String IDENTITY = "identity";

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            String encoding = Collections.list(request.getHeaders(HttpHeaders.CONTENT_ENCODING)).stream()
                    .collect(Collectors.joining(", "));
            if (Stream.of(encoding.split(",")).map(String::strip)
                    .anyMatch(one -> !one.isEmpty() && !one.equalsIgnoreCase(IDENTITY))) {
                response.setHeader(HttpHeaders.ACCEPT_ENCODING, IDENTITY);
                throw new ProblemException(ProblemType.ENCODED_BODY, "bodies with Content-Encoding " + encoding
                        + " are not read: send the text itself, without Content-Encoding")
                        .with("field", HttpHeaders.CONTENT_ENCODING);
            }
            return true;
        }
    }

    /** Reads the whole numbers of queries as those of documents are read: {@code limit=1e2} is {@code limit=100}. */
    static final class WholeNumbers implements GenericConverter {

        @Override
        public Set<ConvertiblePair> getConvertibleTypes() {
            return Set.of(new ConvertiblePair(String.class, Integer.class),
                    new ConvertiblePair(String.class, Long.class));
        }

        /** @throws IllegalArgumentException when it is no whole number; an empty text is null */
        @Override
        public @Nullable Object convert(@Nullable Object source, TypeDescriptor from, TypeDescriptor to) {
            String text = source == null ? "" : source.toString();
            if (text.isEmpty()) {
                return null;
            }
            if (to.getObjectType() == Long.class) {
                return NumberText.parseWhole(text);
            }
            return NumberText.parseInt(text);
        }
    }

    /**
     * Refuses control and format characters in everything that is looked up or stored: the database cannot hold all of them, and
     * people cannot see them.
     */
    static final class ControlCharacterInterceptor implements HandlerInterceptor {

        private static final List<String> HEADERS = List.of("Idempotency-Key", "Last-Event-ID");

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables) {
                variables.forEach((name, value) -> require(String.valueOf(name), String.valueOf(value)));
            }
            request.getParameterMap().forEach((name, values) -> {
                for (String value : values) {
                    require(name, value);
                }
            });
            for (String header : HEADERS) {
                String value = request.getHeader(header);
                if (value != null) {
                    require(header, value);
                }
            }
            return true;
        }

        /** @throws ProblemException when the text has a control or format character */
        static void require(String field, String text) {
            if (!PlainText.line(text)) {
                throw new ProblemException(ProblemType.INVALID_PARAMETER,
                        field + " has a control or format character in it")
                        .with("field", field);
            }
        }
    }
}
