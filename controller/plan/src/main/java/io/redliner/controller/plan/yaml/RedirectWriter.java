// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RoutingAttribute;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the canonical content of a redirect, which for {@link Redirect#SPLIT} is the mode alone. */
final class RedirectWriter {

    private RedirectWriter() {}

    static Map<String, Object> content(Redirect redirect) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("mode", PlanReader.written(redirect.mode()));
        RoutingAttribute attribute = redirect.attribute();
        if (attribute != null) {
            content.put("attribute", Map.of(PlanReader.written(attribute.source()), attribute.name()));
        }
        Integer modulus = redirect.modulus();
        if (modulus != null) {
            content.put("modulus", modulus);
        }
        if (!redirect.cohorts().isEmpty()) {
            content.put("cohorts", redirect.cohorts().stream().map(RedirectWriter::cohort).toList());
        }
        return content;
    }

    private static Map<String, Object> cohort(Cohort cohort) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("name", cohort.name());
        if (!cohort.headers().isEmpty()) {
            content.put("headers", cohort.headers().stream().map(RedirectWriter::header).toList());
        }
        PathMatch path = cohort.path();
        if (path != null) {
            content.put(CohortReader.field(path.kind()), path.value());
        }
        if (!cohort.methods().isEmpty()) {
            content.put("methods", cohort.methods());
        }
        return content;
    }

    private static Map<String, Object> header(HeaderMatch header) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("name", header.name());
        String exact = header.exact();
        Long from = header.from();
        Long to = header.to();
        if (exact != null) {
            content.put("exact", exact);
        } else if (from != null && to != null) {
            content.put("from", from);
            content.put("to", to);
        }
        return content;
    }
}
