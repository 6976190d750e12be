// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import org.flywaydb.core.api.exception.FlywayValidateException;

/** The database has the schema of another build, which this one cannot bring to its own. */
public final class OtherSchemaException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    OtherSchemaException(FlywayValidateException cause) {
        super("The database was made by another build of RedLiner (" + cause.getErrorCode()
                + "), and this one cannot go" + " on with it. " + action());
    }

    static String action() {
        return "Give it an empty database (spring.datasource.url; redliner up: another folder with --data), or start the"
                + " build that made this one: UPGRADING.md says which builds understand each other.";
    }
}
