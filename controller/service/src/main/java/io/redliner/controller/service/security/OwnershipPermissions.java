// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.service.persistence.EmergencyQueries;
import io.redliner.controller.service.persistence.ServiceOwnerRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Permissions by role and by the owner of a service. An operator of the team that owns a service, and every administrator, may
 * start runs on it, change them and abort them.
 */
final class OwnershipPermissions implements Permissions {

    private static final Logger LOG = LoggerFactory.getLogger(OwnershipPermissions.class);

    private final ServiceOwnerRepository owners;

    private final Approvers approvers;

    OwnershipPermissions(ServiceOwnerRepository owners, Approvers approvers) {
        this.owners = owners;
        this.approvers = approvers;
    }

    @Override
    public Caller caller() {
        return current();
    }

    static Caller current() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication instanceof CallerAuthenticationToken known ? known.caller() : Caller.ANONYMOUS;
    }

    @Override
    public void requireOperator(String service) {
        AuditContext.service(service);
        Caller caller = current();
        requireRole(caller);
        if (!caller.has(Role.ADMIN)) {
            require(caller, service, owners.team(service).orElse(null));
        }
    }

    @Override
    public void requireMayAbort(String service) {
        AuditContext.service(service);
        Caller caller = current();
        requireRole(caller);
        if (caller.has(Role.ADMIN)) {
            return;
        }
        String team;
        try {
            team = EmergencyQueries.run(() -> owners.team(service)).orElse(null);
        } catch (NestedRuntimeException unreachable) {
            LOG.error("{} may stop something about service {}: it is not known who owns it, the database is away",
                    caller.key(), service);
            return;
        }
        require(caller, service, team);
    }

    @Override
    public void requireAdmin(String otherwise) {
        if (!current().has(Role.ADMIN)) {
            throw new ProblemException(ProblemType.FORBIDDEN, otherwise);
        }
    }

    @Override
    public Optional<String> approverMissing(String service) {
        return approvers.missing(current(), service, owners.team(service).orElse(null));
    }

    @Override
    public Predicate<String> operable() {
        Caller caller = current();
        if (caller.has(Role.ADMIN) || !caller.has(Role.OPERATOR)) {
            return service -> caller.has(Role.ADMIN);
        }
        Map<String, String> teams = owners.teams();
        return service -> caller.mayOperate(teams.get(service));
    }

    private static void requireRole(Caller caller) {
        if (!caller.has(Role.OPERATOR)) {
            throw new ProblemException(ProblemType.FORBIDDEN, "this takes the role operator");
        }
    }

    private static void require(Caller caller, String service, @Nullable String team) {
        if (!caller.mayOperate(team)) {
            throw new ProblemException(ProblemType.NOT_OWNER,
                    "service " + service + " is owned by team " + team).with("service", service);
        }
    }
}
