// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.Leases;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.PlanProblem;
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

    private final ValidationErrors errors;

    private RedirectReader(ValidationErrors errors) {
        this.errors = errors;
    }

    /** Reads the section {@code redirect}; null when it has mistakes, which are added to the errors. */
    static @Nullable Redirect read(@Nullable NodeReader redirect, ValidationErrors errors) {
        return redirect == null ? Redirect.SPLIT : new RedirectReader(errors).read(redirect);
    }

    private @Nullable Redirect read(NodeReader redirect) {
        int before = errors.size();
        RedirectMode mode = redirect.optional("mode", text -> PlanReader.known(RedirectMode.values(), text),
                RedirectMode.SPLIT);
        RoutingAttribute attribute = attribute(redirect);
        Integer modulus = redirect.optionalIfAny("modulus", NumberText::parseInt);
        boolean sound = errors.size() == before;
        List<Cohort> cohorts = cohorts(redirect.list("cohorts", false));
        redirect.rejectOthers();
        if (sound) {
            Redirect.fault(mode, attribute, modulus).ifPresent(fault -> report(redirect, fault));
        }
        return errors.size() == before ? new Redirect(mode, attribute, modulus, cohorts) : null;
    }

    private void report(NodeReader redirect, Redirect.Fault fault) {
        YamlNode.Fields object = redirect.object();
        YamlNode.Field field = object.fields().get(fault.field());
        errors.add(PlanProblem.at(object.path() + "." + fault.field(), field == null ? object.line() : field.line(),
                field == null ? object.column() : field.column(), fault.message()));
    }

    private @Nullable RoutingAttribute attribute(NodeReader redirect) {
        NodeReader fields = redirect.optionalObject("attribute");
        if (fields == null) {
            return null;
        }
        int before = errors.size();
        List<RoutingAttribute> named = new ArrayList<>();
        for (RoutingAttribute.Source source : RoutingAttribute.Source.values()) {
            RoutingAttribute attribute = fields.optionalIfAny(PlanReader.written(source),
                    name -> new RoutingAttribute(source, name));
            if (attribute != null) {
                named.add(attribute);
            }
        }
        fields.rejectOthers();
        if (errors.size() == before && named.size() != 1) {
            errors.add(fields.object(), "must name one header, cookie or query parameter");
        }
        return named.size() == 1 ? named.getFirst() : null;
    }

    private List<Cohort> cohorts(List<YamlNode> entries) {
        if (entries.size() > MAX_COHORTS) {
            errors.add(entries.get(MAX_COHORTS), "is one cohort too many; there may be " + MAX_COHORTS);
            return List.of();
        }
        List<Cohort> cohorts = new ArrayList<>();
        for (YamlNode entry : entries) {
            Cohort cohort = new CohortReader(errors).read(entry);
            Optional<String> clash = cohort == null ? Optional.empty() : Redirect.clash(cohorts, cohort);
            clash.ifPresent(message -> errors.add(entry, message));
            if (cohort != null && clash.isEmpty()) {
                cohorts.add(cohort);
            }
        }
        int length = cohorts.stream().mapToInt(RedirectReader::length).sum();
        if (length > MAX_LENGTH) {
            errors.add(entries.getFirst(), "and the other cohorts are too long for a lease: they have " + length
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
}
