// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.controller.plan.NumberText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads one cohort. */
final class CohortReader {

    private final ValidationErrors errors;

    CohortReader(ValidationErrors errors) {
        this.errors = errors;
    }

    /** Returns the field of a plan for this kind of match. */
    static String field(PathMatch.Kind kind) {
        return switch (kind) {
            case WHOLE -> "path";
            case PREFIX -> "pathPrefix";
            case GRPC_METHOD -> "grpcMethod";
        };
    }

    /** Reads a cohort; null when it has mistakes, which are added to the errors. */
    @Nullable
    Cohort read(YamlNode entry) {
        int before = errors.size();
        NodeReader fields = NodeReader.of(entry, errors);
        String name = fields.required("name", Cohort::requireName);
        List<HeaderMatch> headers = headers(few("headers", fields.list("headers", false)));
        PathMatch path = path(fields);
        List<String> methods = methods(fields);
        fields.rejectOthers();
        return name == null || errors.size() > before
                ? null
                : made(entry, () -> new Cohort(name, headers, path, methods));
    }

    private @Nullable PathMatch path(NodeReader fields) {
        Map<PathMatch.Kind, PathMatch> given = new EnumMap<>(PathMatch.Kind.class);
        for (PathMatch.Kind kind : PathMatch.Kind.values()) {
            PathMatch path = fields.optionalIfAny(field(kind), text -> new PathMatch(kind, text));
            if (path != null) {
                given.put(kind, path);
            }
        }
        if (given.size() > 1) {
            errors.add(fields.object(), "may have one of path, pathPrefix and grpcMethod");
        }
        return given.values().stream().findFirst().orElse(null);
    }

    private List<String> methods(NodeReader fields) {
        List<String> methods = new ArrayList<>();
        for (YamlNode item : few("methods", fields.list("methods", false))) {
            String method = fields.convert(item, Cohort::requireMethod);
            if (method != null) {
                methods.add(method);
            }
        }
        return methods;
    }

    private List<HeaderMatch> headers(List<YamlNode> entries) {
        List<HeaderMatch> headers = new ArrayList<>();
        for (YamlNode entry : entries) {
            HeaderMatch header = header(entry);
            if (header != null) {
                headers.add(header);
            }
        }
        return headers;
    }

    private List<YamlNode> few(String name, List<YamlNode> entries) {
        if (entries.size() <= Redirect.MAX_MATCHES) {
            return entries;
        }
        errors.add(entries.get(Redirect.MAX_MATCHES),
                "is too much; a cohort may have " + Redirect.MAX_MATCHES + " " + name);
        return List.of();
    }

    private @Nullable HeaderMatch header(YamlNode entry) {
        int before = errors.size();
        NodeReader fields = NodeReader.of(entry, errors);
        String name = fields.required("name", Function.identity());
        String exact = fields.optionalIfAny("exact", Function.identity());
        Long from = fields.optionalIfAny("from", NumberText::parseWhole);
        Long to = fields.optionalIfAny("to", NumberText::parseWhole);
        fields.rejectOthers();
        return name == null || errors.size() > before
                ? null
                : made(entry, () -> new HeaderMatch(name, exact, from, to));
    }

    private <T> @Nullable T made(YamlNode entry, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException invalid) {
            errors.add(entry, String.valueOf(invalid.getMessage()));
            return null;
        }
    }
}
