import { splitWords, stem } from './words.ts'

/**
 * Groups of words with the same meaning in a warehouse: everyday words, words of table names and abbreviations, also in German
 * and French. Each line is one group, and a word may be in several lines. Two words such as "cost center" are also written as one
 * word. Terms of a single organisation belong in its domain pack instead.
 */
const MEANINGS = `
revenue sales sell sold turnover income earning earn umsatz umsaetze verkauf verkaeufe erloes einnahmen chiffre vente ventes recettes gmv amount
sell sold sales sale verkauft verkauf vente vendu order bought
money amount cash value geld betrag betraege argent montant
customer client buyer shopper cust kunde kunden acheteur
order purchase bestellung bestellungen bestell auftrag auftraege commande achat bought buy ord
item line position posten artikel ligne
product article item sku goods artikel produkt produit ware waren prod merchandise assortment
category group kategorie warengruppe categorie
basket cart warenkorb panier checkout abandon
return refund sentback rueckgabe retoure erstattung retour remboursement back
review rating star bewertung avis note comment opinion
coupon voucher discount promo gutschein rabatt remise bon
store branch shop outlet filiale laden geschaeft magasin boutique
merchant shop retailer haendler commercant
wishlist wish favourite merkliste
price cost tariff preis prix tarif
subscription recurring abo abonnement subscriber
churn cancel leave left terminate terminated attrition
margin profit cost price marge gewinn
invoice bill billing rechnung rechnungen facture receivable owe unpaid outstanding fakturiert
bill invoice payable eingangsrechnung
supplier vendor lieferant lieferanten fournisseur provider
budget plan planned planung
ledger gl booking posting buchung hauptbuch ecriture account
account konto konten compte acct
costcenter costcentre kostenstelle cost center centre
currency exchange fx rate waehrung wechselkurs devise usd eur
expense claim outlay spesen reisekosten frais depense auslagen
hotel lodging accommodation
travel trip reise voyage
asset equipment anlage anlagevermoegen immobilisation building property machinery
book depreciation worth net
bank cash konto banque transaction movement
tax vat mwst umsatzsteuer steuer tva impot filing
reminder dunning mahnung mahnungen relance
payment paid pay zahlung zahlungen paiement bezahlt
employee staff people worker headcount personnel mitarbeiter personal angestellte salarie emp colleague workforce
department team division unit abteilung abteilungen bereich departement equipe dept
team equipe mannschaft group crew
job role position title stelle beruf poste engineer grade
salary pay wage compensation gehalt gehaelter lohn salaire remuneration
absence leave vacation holiday sick urlaub krankheit krank fehlzeit conge abwesenheit krankheitstage
timesheet hour overtime work stunden ueberstunden arbeitszeit heure project
applicant candidate application bewerber kandidat candidat recruit recruiting hire hiring
requisition opening vacancy vacant position hire hiring stelle offene
training course learning schulung kurs formation lesson attend
review appraisal performance rating score beurteilung evaluation
exit left leave leaver quit resign attrition turnover interview kuendigung depart
woman women man men gender sex geschlecht female male frau frauen mann genre
manager lead leader leadership head boss leiter vorgesetzter owner
campaign kampagne campagne promotion mailing
ad advert advertisement advertising creative anzeige werbung annonce publicite google
spend spent cost ausgabe ausgaben kosten depense cout expenditure
lead prospect opportunity interessent deal
newsletter mailing email mail mailinglist send abonnent
email mail e-mail courriel
unsubscribe optout opted out
segment audience target zielgruppe group cible
event fair webinar messe conference veranstaltung evenement exhibition
registration register signup anmeldung registrierung inscription signed account
social post instagram facebook linkedin tiktok twitter network like
seo keyword google search ranking position
attribution touchpoint touch journey
impression view reach ctr click
shipment parcel package delivery shipping ship freight sendung sendungen lieferung paket colis livraison transit consignment
delivery deliver delivered attempt zustellung zustellversuch home
carrier haulier courier parcelservice spediteur paketdienst transporteur service
warehouse depot lager lagerhaus entrepot storage
inventory stock onhand bestand lagerbestand lager inventaire
movement transfer inbound outbound bewegung turnover umschlag lagerumschlag mouvement correction
po purchaseorder purchase einkauf beschaffung procurement ordered
route tour trip fahrt tournee van km driven
vehicle truck van lorry car fahrzeug lkw camion vehicule fleet
driver fahrer chauffeur conducteur
customs duty duties import zoll zollgebuehr douane declaration
damage broken defect schaden beschaedigt dommage
claim damage insurance complaint
late delay delayed promised verspaetet retard
manufacturing production produce produced output fertigung produktion fabrication
workorder order production fertigungsauftrag
scrap waste reject ausschuss rebut quote
machine equipment press maschine asset
line productionline linie ligne anlage
plant factory werk fabrik usine site
downtime stop standstill stillstand arret stoerung still breakdown outage
sensor reading measurement temperature vibration pressure messwert messung mesure telemetry
quality inspection check test pruefung qualitaet qualite yield tolerance limit
defect fault flaw fehler mangel defaut nonconformity
bom billofmaterials component part recipe stueckliste nomenclature
component part material rawmaterial teil rohstoff bauteil composant piece
maintenance repair service wartung reparatur entretien instandhaltung preventive
energy power electricity consumption kwh strom energie verbrauch stromverbrauch electricite consommation use
shift crew night schicht poste
oee availability effectiveness stop produced line
ticket case request issue complaint complain complained inquiry incident anfrage beschwerde reclamation demande helpdesk support
message reply mail nachricht reponse
agent rep representative operator sachbearbeiter
call phone hotline telephone anruf anrufer telefon appel caller talk
wait waiting hold warten wartezeit attente
chat bot conversation
satisfaction csat nps survey score zufriedenheit umfrage enquete feedback
sla breach violation target policy agreement response verletzung reaktionszeit vereinbart
escalation escalate secondlevel eskalation
article help kb knowledge knowledgebase page faq
view read pageview visit impression
reply answer response first antwort
backlog open unresolved offen
session visit besuch besuche visite sitzung landing bounce traffic
visitor user besucher visiteur unique audience cookie consent
user member account holder benutzer nutzer utilisateur
page url site seite load
click tap button klick clic
search query term suche suchanfrage recherche
experiment test abtest variant variante split
conversion goal purchase convert checkout
error exception crash bug fehler erreur javascript js
feature function functionality module funktion fonctionnalite
signup registration account referral
install download app installation iphone android ios
vital lcp paint performance speed
device router switch firewall node equipment geraet netzgeraet appareil
switch router device
site location standort place emplacement city
location site city place ort stadt lieu ville
link connection circuit leitung lien verbindung
traffic octet bandwidth throughput utilisation utilization datenverkehr usage
latency rtt delay roundtrip ping jitter latence latenz
loss packetloss packet verlust perte lost
alarm alert alerte warning critical
outage blackout interruption ausfall failure down cut panne stromausfall
subscriber customer sim abonne teilnehmer msisdn mobile user
plan tariff tarif package price
call cdr minute voice phone roaming
data volume datenvolumen volume mb gb traffic usage
speedtest speed bandwidth download upload geschwindigkeit
configuration config setting change konfiguration aenderung
maintenance window planned work wartungsfenster
firmware os version software
interface port counter crc discard
patient sick kranke person
admission stay inpatient readmission hospital hospitalised aufnahme aufenthalt einweisung hospitalisation urgences emergency bed occupied entree
ward station unit department service bed
bed ward bett betten lit
physician doctor surgeon arzt aerzte medecin chirurgien practitioner
diagnosis icd disease condition diabetes diagnose diagnostic krankheit illness
procedure operation surgery intervention operiert op eingriff chirurgie operating
theatre operatingroom room theater operating saal
lab laboratory blood sample labor test analyse result value
prescription prescribed prescribe rezept verordnung ordonnance
drug medicine medication antibiotic medikament arzneimittel medicament pharmaceutical
appointment visit outpatient clinic booking termin rendezvous noshow show
heart pulse vital blood pressure puls
infection germ organism resistant keim infektion bacteria
insurer insurance fund krankenkasse versicherung assurance health
incident fall harm accident vorfall report
age birth born alter geburt
meter zaehler compteur metering
reading consumption use ablesung messwert zaehlerstand releve
household home consumer haushalt menage
contract agreement vertrag vertraege contrat supply
solar photovoltaic pv solaranlage panneau sun plant
feed feedin feed-in inject einspeisung eingespeist
grid network netz netzgebiet reseau
transformer substation trafo umspannwerk overload load
powercut blackout outage cut stromausfall coupure
spot dayahead exchange market day-ahead price boerse
forecast prediction predicted expected prognose prevision wind generation
charging charger charge station borne ladesaeule wallbox recharge electric
plug plugged charging
card credit debit karte kreditkarte carte
declined decline refused rejected abgelehnt refuse
chargeback dispute disputed reclaim rueckbuchung
saving deposit balance sparkonto guthaben epargne
holder owner customer client inhaber titulaire
loan credit mortgage kredit kredite darlehen pret
installment rate arrears default overdue zahlungsverzug mensualite echeance
overdue late arrears unpaid ueberfaellig faellig due
interest zins zinsen interet
fraud betrug fraude suspicious scam
model score prediction flagged
atm cashmachine cash geldautomat bancomat machine
withdrawal withdraw bargeldabhebung abhebung bargeld retrait
transfer remittance wire virement ueberweisung sepa
standingorder recurring dauerauftrag standing order
sanction watchlist compliance sanktion
kyc identity verification check onboarding
login signin logon anmeldung connexion logged banking
country nation land laender pays germany france spain
city town stadt staedte ville
region state bundesland bayern bavaria provincia province county
address street adresse strasse
date day time datum zeit
status state zustand etat statut
reason cause why grund ursache raison motif
cancel cancelled storniert stornierung annule annulation kuendigung
close closed resolve resolved solve geschlossen ferme
open opened pending offen ouvert
quantity qty amount menge quantite units
weight kilo kg gewicht poids
name label title bezeichnung nom
severity priority urgency critical
approve approved approval genehmigt freigabe
duration length time long dauer duree
capacity size kapazitaet capacite
project projekt projet
language lang sprache langue
`

export interface Lexicon {
  /**
   * Returns the stems with the same meaning as this stem: `revenue` and `umsatz` for `sale`. Returns undefined for an unknown
   * stem.
   */
  meaningsOf(stem: string): ReadonlySet<string> | undefined
  readonly words: Iterable<string>
}

/** Builds a map from each stem to all stems with the same meaning. */
export function buildLexicon(): Lexicon {
  const meanings = new Map<string, Set<string>>()
  for (const line of MEANINGS.split('\n')) {
    const stems = [...new Set(line.split(' ').flatMap(splitWords).map(stem))]
    for (const word of stems) {
      const others = meanings.get(word) ?? new Set<string>()
      meanings.set(word, others)
      for (const other of stems) if (other !== word) others.add(other)
    }
  }
  return { meaningsOf: word => meanings.get(word), words: meanings.keys() }
}
