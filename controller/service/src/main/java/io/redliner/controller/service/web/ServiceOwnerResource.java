// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.service.persistence.ServiceOwnerRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.time.InstantSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The team that owns a service; every caller may read it, admins set it. A service need not be known yet. */
@RestController
@RequestMapping("/api/v1/services/{service}/owner")
class ServiceOwnerResource {

    private static final int MAX_LENGTH = 200;

    private final ServiceOwnerRepository owners;

    private final Permissions permissions;

    private final InstantSource clock;

    ServiceOwnerResource(ServiceOwnerRepository owners, Permissions permissions, InstantSource clock) {
        this.owners = owners;
        this.permissions = permissions;
        this.clock = clock;
    }

    /** The owner of a service. */
    record OwnerView(String service, String team) {}

    @GetMapping
    OwnerView get(@PathVariable String service) {
        return new OwnerView(service, owners.team(service).orElseThrow(() -> notFound(service)));
    }

    @PutMapping
    OwnerView set(@PathVariable String service, InputStream body) throws InvalidDocumentException {
        if (service.isBlank() || service.length() > MAX_LENGTH) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    "the name of a service has 1 to " + MAX_LENGTH + " characters").with("field", "service");
        }
        String team = ServiceOwnerRequestReader.read(RequestBodyReader.read(body));
        owners.set(service, team, permissions.caller().key(), clock.instant());
        return new OwnerView(service, team);
    }

    @DeleteMapping
    ResponseEntity<Void> remove(@PathVariable String service) {
        if (!owners.remove(service)) {
            throw notFound(service);
        }
        return ResponseEntity.noContent().build();
    }

    private static ProblemException notFound(String service) {
        return new ProblemException(ProblemType.NO_OWNER, "nobody owns service " + service);
    }
}
