// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.service.problem.ProblemException;
import java.util.Optional;
import java.util.function.Predicate;

/** The permissions of the present request's caller. Other features ask for them before they change something. */
public interface Permissions {

    /** Returns the caller of the request; anonymous outside of a request. */
    Caller caller();

    /**
     * Requires that the caller may change something about a service: an operator of the team that owns it, any operator when nobody
     * owns it, or an admin. The service is noted for the audit log.
     *
     * @throws ProblemException when the caller may not
     * @throws org.springframework.dao.DataAccessException when it is not known who owns the service
     */
    void requireOperator(String service);

    /**
     * Requires that the caller may abort a run of the service, or stop something else that concerns it. The same permission as
     * {@link #requireOperator} is needed, but when the database does not answer, every operator may do it.
     *
     * @throws ProblemException when the caller may not
     */
    void requireMayAbort(String service);

    /**
     * Requires an admin.
     *
     * @param otherwise message of the problem for other callers
     * @throws ProblemException when the caller is not an admin
     */
    void requireAdmin(String otherwise);

    /**
     * Returns the reason why no user could approve a run of the service that the caller submits, and what to do about it; empty
     * when some user could.
     */
    Optional<String> approverMissing(String service);

    /** Returns a predicate that is true for the services for which {@link #requireOperator} would let the caller pass now. */
    Predicate<String> operable();
}
