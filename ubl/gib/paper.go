package gib

import (
	"strings"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl"
)

// paper is the document that a trip carries, whatever record it is made of.
type paper struct {
	to     Envelope // from whom it goes to whom; without ID and XML
	stands trade.EDocument
	render func() ([]byte, error)
}

// paperOf reads what an errand is about.
func paperOf(v *store.View, owner string) (paper, error) {
	if strings.HasPrefix(owner, store.Shipments.Prefix+"_") {
		s, err := store.Shipments.Get(v, owner)
		if err != nil {
			return paper{}, err
		}
		return noteOf(&s), nil
	}
	inv, err := store.Invoices.Get(v, owner)
	if err != nil {
		return paper{}, err
	}
	return invoiceOf(&inv), nil
}

func invoiceOf(v *trade.Invoice) paper {
	return paper{
		to: Envelope{
			Owner: v.ID, Number: v.Number, ETTN: v.ETTN, DocumentType: v.DocumentType, Profile: v.Profile,
			SenderTaxNumber: v.Seller.TaxNumber, SenderAlias: v.Seller.Alias,
			ReceiverTaxNumber: v.Buyer.TaxNumber, ReceiverAlias: v.Buyer.Alias,
		},
		stands: v.EDocument,
		render: func() ([]byte, error) { return ubl.Invoice(nil, v) },
	}
}

// noteOf is the paper of a despatch note. Where its buyer takes none, the envelope goes
// to the tax office's own mailbox.
func noteOf(s *trade.Shipment) paper {
	receiver, alias := s.Receiver()
	return paper{
		to: Envelope{
			Owner: s.ID, Number: s.Number, ETTN: s.ETTN, DocumentType: EIrsaliye, Profile: trade.Profile(s.Profile),
			SenderTaxNumber: s.Seller.TaxNumber, SenderAlias: s.Seller.Alias,
			ReceiverTaxNumber: receiver, ReceiverAlias: alias,
		},
		stands: s.EDocument,
		render: func() ([]byte, error) { return ubl.Despatch(nil, s) },
	}
}
