// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts clients whose certificate has one of the listed names and is signed by a trusted authority. The names matter in a mesh,
 * where every pod has a certificate of the same authority.
 */
public final class PeerAllowList extends X509ExtendedTrustManager {

    private static final System.Logger LOG = System.getLogger(PeerAllowList.class.getName());

    /** The type of a subject alternative name that is a DNS name. */
    private static final int DNS = 2;

    private static final int URI = 6;

    /** Maximum number of refused clients that are logged, each once. */
    private static final int MAX_LOGGED = 100;

    private final X509ExtendedTrustManager authorities;

    private final List<String> identities;

    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    private PeerAllowList(X509ExtendedTrustManager authorities, List<String> identities) {
        this.authorities = authorities;
        this.identities = identities;
    }

    /**
     * Returns a trust manager for the listed names; that of the authorities itself when no name is listed.
     *
     * @param identities DNS names or URIs (SPIFFE ids) among the subject alternative names; one that ends with {@code *} stands
     * for all names with that prefix
     * @throws IllegalArgumentException when one has a {@code *} elsewhere, or is blank
     */
    public static X509ExtendedTrustManager of(X509ExtendedTrustManager authorities, List<String> identities) {
        for (String identity : identities) {
            int star = identity.indexOf('*');
            if (identity.isBlank() || (star >= 0 && star < identity.length() - 1)) {
                throw new IllegalArgumentException("an identity is a DNS name or a URI, and may end with *; not '"
                        + identity + "'");
            }
        }
        return identities.isEmpty() ? authorities : new PeerAllowList(authorities, List.copyOf(identities));
    }

    private void requireKnown(X509Certificate[] chain) throws CertificateException {
        List<String> names = names(chain[0]);
        if (names.stream().noneMatch(name -> identities.stream().anyMatch(identity -> matches(identity, name)))) {
            if (logged.size() < MAX_LOGGED && logged.add(names.toString())) {
                LOG.log(System.Logger.Level.WARNING,
                        "A client with a trusted certificate is refused: none of its names {0} is among tls.identities {1}",
                        names, identities);
            }
            throw new CertificateException("none of the names " + names + " is listed");
        }
    }

    private static boolean matches(String identity, String name) {
        return identity.endsWith("*")
                ? name.startsWith(identity.substring(0, identity.length() - 1))
                : name.equals(identity);
    }

    private static List<String> names(X509Certificate certificate) throws CertificateException {
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        List<String> names = new ArrayList<>();
        for (List<?> alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
            if (alternative.get(0) instanceof Integer kind && (kind == DNS || kind == URI)) {
                names.add(String.valueOf(alternative.get(1)));
            }
        }
        return names;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType, engine);
        requireKnown(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType, socket);
        requireKnown(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        authorities.checkClientTrusted(chain, authType);
        requireKnown(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        authorities.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        authorities.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        authorities.checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
