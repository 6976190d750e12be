// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.MediaType;

/** The formats of reports. */
enum ReportFormat {

    JSON("application/json", "application/json"), HTML("text/html;charset=UTF-8", "text/html"), JUNIT(
            "application/xml;charset=UTF-8", "text/xml"), CSV("text/csv;charset=UTF-8;header=present", "text/csv");

    private final String contentType;

    private final String asked;

    ReportFormat(String contentType, String asked) {
        this.contentType = contentType;
        this.asked = asked;
    }

    String contentType() {
        return contentType;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ReportFormat> of(String word) {
        return Stream.of(values()).filter(format -> format.wireName().equals(word)).findFirst();
    }

    /** The first that is asked for; JSON where any would do. */
    static Optional<ReportFormat> accepted(List<MediaType> accepted) {
        for (MediaType type : accepted) {
            for (ReportFormat format : values()) {
                if (type.includes(MediaType.parseMediaType(format.asked))
                        || type.includes(MediaType.parseMediaType(format.contentType))) {
                    return Optional.of(format);
                }
            }
        }
        return accepted.isEmpty() ? Optional.of(JSON) : Optional.empty();
    }
}
