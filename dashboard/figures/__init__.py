"""Figures: each module draws one finished table. No Streamlit and no statistics here."""
