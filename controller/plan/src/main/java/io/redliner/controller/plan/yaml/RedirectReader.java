// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;

import io.redliner.contract.Leases;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.controller.plan.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the redirect of a plan: which traffic is moved, and how. */
final class RedirectReader {

    private static final int MAX_COHORTS = 50;

    /**
     * In characters of all cohorts, which are ASCII. It leaves a tenth of a lease's record for everything else, which needs
     * less.
     */
    private static final int MAX_LENGTH = Leases.MAX_BYTES * 9 / 10;

    private RedirectReader() {}

    /** Reads the section {@code redirect}; null when it has mistakes. */
    static @Nullable Redirect read(NodeReader redirect) {
        RedirectMode mode = redirect.optional("mode", text -> PlanReader.known(RedirectMode.values(), text),
                RedirectMode.SPLIT);
        RoutingAttribute attribute = redirect.optionalObject("attribute", RedirectReader::attribute);
        Integer modulus = redirect.optional("modulus", NumberText::parseInt);
        if (redirect.sound()) {
            Redirect.fault(mode, attribute, modulus)
                    .ifPresent(fault -> redirect.refuse(fault.field(), fault.message()));
        }
        List<Cohort> cohorts = cohorts(redirect);
        return redirect.make(() -> new Redirect(mode, attribute, modulus, cohorts));
    }

    private static @Nullable RoutingAttribute attribute(NodeReader fields) {
        List<RoutingAttribute> named = fields.optional(RoutingAttribute.Source.values(), PlanReader::written,
                RoutingAttribute::new);
        if (fields.complete() && named.size() != 1) {
            fields.mistake("must name one header, cookie or query parameter");
        }
        return named.size() == 1 ? named.getFirst() : null;
    }

    private static List<Cohort> cohorts(NodeReader redirect) {
        List<YamlNode> entries = redirect.list("cohorts", MAX_COHORTS,
                "is one cohort too many; there may be " + MAX_COHORTS);
        List<Cohort> cohorts = new ArrayList<>();
        for (YamlNode entry : entries) {
            Cohort cohort = cohort(redirect.object(entry));
            Optional<String> clash = cohort == null ? Optional.empty() : Redirect.clash(cohorts, cohort);
            clash.ifPresent(message -> redirect.mistake(entry, message));
            if (cohort != null && clash.isEmpty()) {
                cohorts.add(cohort);
            }
        }
        int length = cohorts.stream().mapToInt(RedirectReader::length).sum();
        if (length > MAX_LENGTH) {
            redirect.mistake(entries.getFirst(), "and the other cohorts are too long for a lease: they have " + length
                    + " characters, and may have " + MAX_LENGTH);
        }
        return cohorts;
    }

    /** Returns an upper bound of the bytes that a cohort takes in the record of a lease. */
    private static int length(Cohort cohort) {
        int headers = cohort.headers().stream()
                .mapToInt(
                        header -> header.name().length() + (header.exact() == null ? 32 : header.exact().length()) + 16)
                .sum();
        int methods = cohort.methods().stream().mapToInt(method -> method.length() + 2).sum();
        return cohort.name().length() + headers + methods + (cohort.path() == null ? 0 : cohort.path().value().length())
                + 16;
    }

    private static @Nullable Cohort cohort(NodeReader fields) {
        String name = fields.required("name", Cohort::requireName);
        List<HeaderMatch> headers = fields.read(few(fields, "headers"), RedirectReader::header);
        List<PathMatch> paths = fields.optional(PathMatch.Kind.values(), RedirectReader::field, PathMatch::new);
        if (paths.size() > 1) {
            fields.mistake("may have one of path, pathPrefix and grpcMethod");
        }
        List<String> methods = fields.convert(few(fields, "methods"), Cohort::requireMethod);
        return fields.make(() -> new Cohort(requireNonNull(name), headers, paths.isEmpty() ? null : paths.getFirst(),
                methods));
    }

    private static List<YamlNode> few(NodeReader cohort, String name) {
        return cohort.list(name, Redirect.MAX_MATCHES,
                "is too much; a cohort may have " + Redirect.MAX_MATCHES + " " + name);
    }

    private static @Nullable HeaderMatch header(NodeReader fields) {
        String name = fields.required("name", identity());
        String exact = fields.optional("exact", identity());
        Long from = fields.optional("from", NumberText::parseWhole);
        Long to = fields.optional("to", NumberText::parseWhole);
        return fields.make(() -> new HeaderMatch(requireNonNull(name), exact, from, to));
    }

    /** Returns the field of a plan for this kind of match. */
    static String field(PathMatch.Kind kind) {
        return switch (kind) {
            case WHOLE -> "path";
            case PREFIX -> "pathPrefix";
            case GRPC_METHOD -> "grpcMethod";
        };
    }
}
